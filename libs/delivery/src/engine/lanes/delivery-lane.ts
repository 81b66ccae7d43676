import { setTimeout as sleep } from 'node:timers/promises';
import { LANES, NIL } from '../claims/claim-deliveries.js';
import type { ClaimResult, Lane } from '../claims/claim-deliveries.js';
import { AttemptStarter } from './attempt-starter.js';
import { PriorityTargets } from './priority-targets.js';
import { LaneAttempts } from './lane-attempts.js';
import type { LaneClaim, LaneLimits, LaneParts } from './lane-parts.js';
import { spacesWithFullRation } from './lane-places.js';
import { LaneRoom } from './lane-room.js';
import type { ReserveRates } from './lane-room.js';
import type { PlannedPlaces } from './planned-places.js';
import type { PlannedTargets } from './planned-targets.js';
import { WakeUp } from './wake-up.js';
import type { ClaimedDelivery, Result } from '../delivery.types.js';

/** Minimum distance between claims, so that claims under load stay few and large. */
const CLAIM_DISTANCE_MS = 4;
const AFTER_FAILURE_MS = 500;
/** How long an idle lane keeps running, ready to claim new deliveries immediately. */
const IDLE_MS = 2_000;

/**
 * Owns deliveries from claim to release. Claims while there are room and work, has each delivery
 * prepared, sent and settled, and frees its places exactly once, even after errors. Each lane has
 * its own capacity, so first attempts never wait behind retries. A hanging target fills only its
 * few places, slow targets fewer, and each space leaves some to others.
 */
export class DeliveryLane {
  private readonly room: LaneRoom;
  private readonly priority = new PriorityTargets();
  private readonly attempts: LaneAttempts;
  private readonly processing = new Set<Promise<void>>();
  private workedAt = 0;
  private claimedAt = -Infinity;
  private afterTarget = NIL;
  private foundInWalk = false;
  /** Whether a target or space had no free place in the latest walk. */
  private isLimited = false;
  /** Whether freed places may let something through that the latest walk did not find. */
  private mayBeBlocked = false;
  private ended = false;
  private running = false;
  private woken = false;
  private readonly work = new WakeUp();
  private readonly freed = new WakeUp();

  constructor(
    readonly lane: Lane,
    limits: LaneLimits,
    private readonly parts: LaneParts,
    starter = new AttemptStarter(),
  ) {
    this.room = new LaneRoom(limits, starter);
    this.attempts = new LaneAttempts(parts, starter, {
      attempted: (result) => this.room.recordAttempt(result),
      settled: (result) => this.scheduleRetry(result),
      targetFreed: (delivery) => this.freeTarget(delivery),
      placeFreed: (delivery) => this.freePlace(delivery),
    });
  }

  /** Deliveries claimed and not yet settled. */
  get busy(): number {
    return this.room.places.taken;
  }

  /** Whether the lane runs, has much room, and its latest walk was not limited. */
  get canTakeAll(): boolean {
    return this.running && this.room.isAmple && !this.isLimited;
  }

  /** Whether {@link run} is running. */
  get isRunning(): boolean {
    return this.running;
  }

  /**
   * Looks for work, if a run is active.
   * @param planned the targets with new deliveries, if known
   */
  wake(planned?: PlannedTargets): void {
    this.woken = true;
    this.work.fire();
    if (!planned) return;
    this.priority.add(planned);
    if (this.mayClaimPriority) this.freed.fire();
  }

  /**
   * Returns whether the space has more of the lane than is left to others, or got its full ration.
   */
  isFilledBy(spaceId: string): boolean {
    return this.room.isFilledBy(spaceId);
  }

  /**
   * Returns places for deliveries that are being planned for these spaces, or undefined while there
   * is little room.
   */
  placesForPlanned(spaceIds: readonly string[], reserveRates: ReserveRates): PlannedPlaces | undefined {
    return this.ended ? undefined : this.room.forPlanned(spaceIds, reserveRates);
  }

  /**
   * Sends deliveries that have places of {@link placesForPlanned} and a lease of this worker.
   * @param askedAt from when the leases count
   */
  send(batch: ClaimedDelivery[], askedAt: number, prepare: LaneParts['prepare']): void {
    this.track(this.attempts.run(batch, askedAt, undefined, prepare));
  }

  /**
   * Runs until nothing was due for two seconds and everything is settled. Only wakes a run that is
   * already active.
   * @param look false if nothing is due yet
   */
  async run(look = true): Promise<void> {
    if (look) this.wake();
    if (this.running || this.ended) return;
    this.running = true;
    try {
      await this.runUntilIdle();
    } finally {
      this.running = false;
    }
  }

  /** Stops claiming for good. The run ends when everything under way is settled. */
  end(): void {
    this.ended = true;
    this.work.fire();
    this.freed.fire();
  }

  private async runUntilIdle(): Promise<void> {
    this.workedAt = performance.now();
    let mayFindMore = false;
    while (!this.ended) {
      const isDue: boolean = this.woken || mayFindMore;
      this.woken = false;
      mayFindMore = isDue && (await this.claimNext());
      if (mayFindMore) this.workedAt = performance.now();
      else if (this.isIdle) break;
      else await this.waitForWake();
    }
    await Promise.all(this.processing);
  }

  /**
   * Whether nothing is under way, nothing was for two seconds, and no wake-up arrived since the
   * last claim.
   */
  private get isIdle(): boolean {
    return !this.woken && this.busy === 0 && performance.now() - this.workedAt >= IDLE_MS;
  }

  /** @returns whether there may be more to claim */
  private async claimNext(): Promise<boolean> {
    try {
      await this.waitBetweenClaims();
      await this.waitForRoom();
      if (this.ended) return false;
      return await (this.room.allowsWalk ? this.claim() : this.claimPriority());
    } catch (error) {
      this.parts.failed(error);
      await sleep(AFTER_FAILURE_MS);
      return true;
    }
  }

  /** An idle lane claims immediately. */
  private async waitBetweenClaims(): Promise<void> {
    const left = this.claimedAt + CLAIM_DISTANCE_MS - performance.now();
    if (this.busy > 0 && left > 0) await sleep(left);
  }

  /** Claims by visiting the targets. */
  private async claim(): Promise<boolean> {
    const { afterTarget } = this;
    const priority = this.takePriority();
    const { deliveries, lastTarget, askedAt } = await this.claimOf({});
    this.room.recordWalk(deliveries.length, lastTarget === undefined);
    const rest = (): void => this.room.rest(askedAt);
    rest();
    this.start(deliveries, askedAt, rest);
    this.afterTarget = lastTarget ?? NIL;
    // The walk may not have reached them.
    if (lastTarget !== undefined) this.priority.add(priority);
    return this.mayFindMore(deliveries.length > 0, afterTarget);
  }

  /** Claims by target for spaces with few places, while there is no room for a walk. */
  private async claimPriority(): Promise<boolean> {
    const only = this.takePriority();
    if (only.size === 0) return true;
    const { deliveries, askedAt } = await this.claimOf({ only });
    this.start(deliveries, askedAt);
    return true;
  }

  private async claimOf(of: Pick<LaneClaim, 'only'>): Promise<ClaimResult & { askedAt: number }> {
    const { lane, afterTarget, room } = this;
    const { left: limit, inFlight, fairness } = room;
    const places = room.places.ofSpaces;
    const request = { lane, limit, inFlight, afterTarget, places, ...fairness, ...of };
    const askedAt = performance.now();
    // A place that is freed during the claim may be too late for it.
    this.mayBeBlocked = true;
    const answer = await this.parts.claim(request);
    this.claimedAt = performance.now();
    if (!of.only) room.rationed = spacesWithFullRation(answer.deliveries, request);
    this.isLimited = of.only !== undefined || answer.limited !== false;
    this.mayBeBlocked = this.isLimited || answer.deliveries.length > 0;
    return { ...answer, askedAt };
  }

  /**
   * Returns whether deliveries may be left after the target where the walk stopped, or before the
   * one where it started. False after a complete walk that found nothing.
   */
  private mayFindMore(found: boolean, begunAfter: string): boolean {
    this.foundInWalk = found || (this.foundInWalk && begunAfter !== NIL);
    return this.foundInWalk || this.afterTarget !== NIL;
  }

  private start(batch: ClaimedDelivery[], askedAt: number, onStarted?: () => void): void {
    if (batch.length === 0) return;
    for (const one of batch) this.room.places.take(one);
    this.track(this.attempts.run(batch, askedAt, onStarted));
  }

  private track(attempts: Promise<void>): void {
    const running = attempts.finally(() => this.processing.delete(running));
    this.processing.add(running);
  }

  /** Schedules a retry in the lane of retries. */
  private scheduleRetry({ outcome }: Result): void {
    if (outcome.kind !== 'retry') return;
    this.parts.due(this.lane === LANES.first ? LANES.retry : this.lane, outcome.at);
  }

  private freeTarget(one: ClaimedDelivery): void {
    const isWaitedFor = this.mayBeBlocked && this.room.isWaitedFor(one);
    this.room.places.freeTarget(one);
    if (this.mayBeBlocked) this.wake(isWaitedFor ? new Map([[one.targetId, one.spaceId]]) : undefined);
  }

  private freePlace(one: ClaimedDelivery): void {
    this.room.places.free(one);
    this.workedAt = performance.now();
    if (this.room.allowsWalk || this.mayClaimPriority) this.freed.fire();
    if (this.mayBeBlocked) this.wake();
  }

  /** Whether a delivery with priority may be claimed. */
  private get mayClaimPriority(): boolean {
    return this.priority.hasClaimable(this.room.places.ofSpaces, this.room.left);
  }

  private takePriority(): PlannedTargets {
    return this.priority.takeClaimable(this.room.places.ofSpaces, this.room.left);
  }

  private async waitForRoom(): Promise<void> {
    while (!this.room.allowsWalk && !this.mayClaimPriority && !this.ended) await this.waitForFreedPlace();
  }

  private async waitForFreedPlace(): Promise<void> {
    const left = this.room.pace.msLeft();
    // Without a free place, waiting does not help. With one, the walk may have become due since the
    // last check.
    await this.freed.wait(left > 0 || this.room.left > 0 ? left : undefined);
  }

  private async waitForWake(): Promise<void> {
    if (this.woken || this.ended) return;
    const left = this.busy > 0 ? IDLE_MS : this.workedAt + IDLE_MS - performance.now();
    await this.work.wait(Math.max(left, 0) + 1);
  }
}
