import { setTimeout as sleep } from 'node:timers/promises';
import { LANES } from '../claims/claim-deliveries.js';
import type { ClaimResult, Lane } from '../claims/claim-deliveries.js';
import { AttemptStarter } from './attempt-starter.js';
import { PriorityTargets } from './priority-targets.js';
import { LaneAttempts } from './lane-attempts.js';
import type { LaneClaim, LaneLimits, LaneParts } from './lane-parts.js';
import { spacesWithFullRation } from './lane-places.js';
import { LaneRoom } from './lane-room.js';
import type { ReserveRates } from './lane-room.js';
import type { PlannedPlaces } from './planned-places.js';
import type { LaneWork, PlannedTargets } from './planned-targets.js';
import { WakeUp } from './wake-up.js';
import { Walk } from './walk.js';
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
  private readonly walk = new Walk();
  private isClaiming = false;
  /** Whether a place was freed since the latest claim began. */
  private isFreed = false;
  private ended = false;
  private running = false;
  /** Whether deliveries may be due that only a walk finds. */
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

  /** Whether the lane runs, has much room, and left nothing out. */
  get canTakeAll(): boolean {
    return this.running && this.room.isAmple && !this.walk.isLimited;
  }

  /** Whether {@link run} is running. */
  get isRunning(): boolean {
    return this.running;
  }

  /**
   * Looks for work, if a run is active.
   * @param work the new deliveries, if known
   */
  wake(work?: LaneWork): void {
    const areNamed = work !== undefined && this.priority.add(work.targets) && work.areAll;
    if (!areNamed) this.woken = true;
    this.work.fire();
    if (work && this.mayClaimPriority) this.freed.fire();
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
   * @param stay false to end immediately if nothing is due
   */
  async run({ look = true, stay = true } = {}): Promise<void> {
    if (look) this.wake();
    if (this.running || this.ended) return;
    if (stay) this.workedAt = performance.now();
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
    let mayFindMore = false;
    while (!this.ended) {
      const mustWalk: boolean = this.woken || mayFindMore;
      const isDue: boolean = mustWalk || !this.priority.isEmpty;
      mayFindMore = isDue && (await this.claimNext(mustWalk));
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
    return !this.isWoken && this.busy === 0 && performance.now() - this.workedAt >= IDLE_MS;
  }

  private get isWoken(): boolean {
    return this.woken || !this.priority.isEmpty;
  }

  /**
   * Claims by target if all new deliveries are of targets that may be claimed right away, or if no
   * walk may start.
   * @returns whether there may be more to claim
   */
  private async claimNext(mustWalk: boolean): Promise<boolean> {
    try {
      await this.waitBetweenClaims();
      await this.waitForRoom();
      if (this.ended) return false;
      if (!this.priority.areClaimable(this.room.places.ofSpaces, this.room.left)) this.woken = true;
      if ((mustWalk || this.woken) && this.room.allowsWalk) return await this.claim();
      return (await this.claimPriority()) || mustWalk;
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
    let priority: PlannedTargets = new Map();
    // One that is under way may have passed targets with new deliveries.
    if (this.walk.isAtStart) {
      this.woken = false;
      priority = this.takePriority();
    }
    const { deliveries, lastTarget, askedAt, mayFindMore } = await this.claimOf({});
    this.room.recordWalk(deliveries.length, lastTarget === undefined);
    const rest = (): void => this.room.rest(askedAt);
    rest();
    this.start(deliveries, askedAt, rest);
    // The walk may not have reached them.
    if (lastTarget !== undefined) this.priority.add(priority);
    return mayFindMore;
  }

  /** Claims by target for spaces with few places. */
  private async claimPriority(): Promise<boolean> {
    const only = this.takePriority();
    if (only.size === 0) return true;
    const claiming = this.claimOf({ only });
    const { deliveries, askedAt, mayFindMore } = await claiming.catch((error: unknown) => {
      this.wake({ targets: only, areAll: true });
      throw error;
    });
    this.start(deliveries, askedAt);
    return mayFindMore;
  }

  private async claimOf(
    of: Pick<LaneClaim, 'only'>,
  ): Promise<ClaimResult & { askedAt: number; mayFindMore: boolean }> {
    const { lane, room, walk } = this;
    const { afterTarget } = walk;
    const { left: limit, inFlight, fairness } = room;
    const places = room.places.ofSpaces;
    const request = { lane, limit, inFlight, afterTarget, places, ...fairness, ...of };
    const askedAt = performance.now();
    [this.isClaiming, this.isFreed] = [true, false];
    const answer = await this.parts.claim(request).finally(() => (this.isClaiming = false));
    this.claimedAt = performance.now();
    const mayFindMore = of.only ? walk.recordByTarget(answer) : walk.record(answer);
    // A place that was freed during the claim may have been too late for it.
    if (this.isFreed && walk.isLimited) this.wake();
    if (!of.only) room.rationed = spacesWithFullRation(answer.deliveries, request);
    return { ...answer, askedAt, mayFindMore };
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
    const isWaitedFor = (this.isClaiming || this.walk.isLimited) && this.room.isWaitedFor(one);
    this.room.places.freeTarget(one);
    if (isWaitedFor) this.wake({ targets: new Map([[one.targetId, one.spaceId]]), areAll: false });
    this.lookForLeftOut();
  }

  private freePlace(one: ClaimedDelivery): void {
    this.room.places.free(one);
    this.workedAt = performance.now();
    if (this.room.allowsWalk || this.mayClaimPriority) this.freed.fire();
    this.lookForLeftOut();
  }

  /** Looks for deliveries that had no place before one was freed. */
  private lookForLeftOut(): void {
    this.isFreed = true;
    if (this.walk.isLimited) this.wake();
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
    if (this.isWoken || this.ended) return;
    const left = this.busy > 0 ? IDLE_MS : this.workedAt + IDLE_MS - performance.now();
    await this.work.wait(Math.max(left, 0) + 1);
  }
}
