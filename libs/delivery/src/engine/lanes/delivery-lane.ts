import { setTimeout as sleep } from 'node:timers/promises';
import { LANES, NIL } from '../claims/claim-deliveries.js';
import type { ClaimResult, Lane } from '../claims/claim-deliveries.js';
import { AttemptStarter } from './attempt-starter.js';
import { PriorityTargets } from './priority-targets.js';
import { LaneAttempts } from './lane-attempts.js';
import type { LaneClaim, LaneLimits, LaneParts } from './lane-parts.js';
import { LanePlaces, spacesWithFullRation } from './lane-places.js';
import type { PlannedTargets } from './planned-targets.js';
import { TargetShares } from './target-shares.js';
import { WalkPace } from './walk-pace.js';
import type { ClaimedDelivery, Result } from '../delivery.types.js';

/**
 * Minimum distance between claims. With less free capacity than `ROOM_FRACTION`, walks keep a
 * greater distance (`WalkPace`), so that claims under load stay few and large.
 */
const CLAIM_DISTANCE_MS = 4;
const ROOM_FRACTION = 0.375;
const AFTER_FAILURE_MS = 500;
/** Deliveries of one space per claim, while another space is active. */
const PER_SPACE = 32;
/** A lane with more than this fraction taken counts as crowded. Slow targets then lose places. */
const CROWDED = 0.5;
/** How long an idle lane keeps running, ready to claim new deliveries immediately. */
const IDLE_MS = 2_000;

/**
 * Owns deliveries from claim to release. Claims while there are room and work, has each delivery
 * prepared, sent and settled, and frees its places exactly once, even after errors. Each lane has
 * its own capacity, so first attempts never wait behind retries. A hanging target fills only its
 * few places, slow targets fewer, and each space leaves some to others.
 */
export class DeliveryLane {
  private readonly places = new LanePlaces();
  private readonly priority = new PriorityTargets();
  private readonly shares: TargetShares;
  private readonly attempts: LaneAttempts;
  private readonly processing = new Set<Promise<void>>();
  private workedAt = 0;
  private claimedAt = -Infinity;
  private readonly pace = new WalkPace();
  private afterTarget = NIL;
  private foundInWalk = false;
  /**
   * Spaces that got their full ration in the latest walk, so they probably have more deliveries.
   */
  private rationed: ReadonlySet<string> = new Set();
  private ended = false;
  private running = false;
  private woken = false;
  private onWake: (() => void) | undefined;
  private onRoom: (() => void) | undefined;

  constructor(
    readonly lane: Lane,
    private readonly limits: LaneLimits,
    private readonly parts: LaneParts,
    private readonly starter = new AttemptStarter(),
  ) {
    this.shares = new TargetShares(limits.perTarget);
    this.attempts = new LaneAttempts(parts, starter, {
      attempted: (result) => this.updateShare(result),
      settled: (result) => this.scheduleRetry(result),
      targetFreed: (delivery) => this.freeTarget(delivery),
      placeFreed: (delivery) => this.freePlace(delivery),
    });
  }

  /** Deliveries claimed and not yet settled. */
  get busy(): number {
    return this.places.taken;
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
    this.onWake?.();
    if (!planned) return;
    this.priority.add(planned);
    if (this.mayClaimPriority) this.onRoom?.();
  }

  /**
   * Returns whether the space has more of the lane than is left to others, or got its full ration.
   */
  isFilledBy(spaceId: string): boolean {
    return this.rationed.has(spaceId) || (this.places.ofSpaces.get(spaceId) ?? 0) > this.room;
  }

  /**
   * Runs until nothing was due for two seconds and everything is settled. Only wakes a run that is
   * already active.
   */
  async run(): Promise<void> {
    this.wake();
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
    this.onWake?.();
    this.onRoom?.();
  }

  private async runUntilIdle(): Promise<void> {
    this.workedAt = performance.now();
    while (!this.ended) {
      this.woken = false;
      if (await this.claimNext()) this.workedAt = performance.now();
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
      return await (this.hasRoom ? this.claim() : this.claimPriority());
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
    const priority = this.priority.takeClaimable(this.places.ofSpaces, this.room);
    const { deliveries, lastTarget, askedAt } = await this.claimOf({});
    const rest = (): void => this.pace.walkEnded(askedAt, this.hasMuchRoom);
    rest();
    this.start(deliveries, askedAt, rest);
    this.afterTarget = lastTarget ?? NIL;
    // The walk may not have reached them.
    if (lastTarget !== undefined) this.priority.add(priority);
    return this.mayFindMore(deliveries.length > 0, afterTarget);
  }

  /** Claims by target for spaces with few places, while there is no room for a walk. */
  private async claimPriority(): Promise<boolean> {
    const only = this.priority.takeClaimable(this.places.ofSpaces, this.room);
    if (only.size === 0) return true;
    const { deliveries, askedAt } = await this.claimOf({ only });
    this.start(deliveries, askedAt);
    return true;
  }

  private async claimOf(of: Pick<LaneClaim, 'only'>): Promise<ClaimResult & { askedAt: number }> {
    const { perTarget } = this.limits;
    const inFlight = this.shares.withReserved(this.places.ofTargets);
    const { lane, room: limit, afterTarget } = this;
    const [onlySpace, other] = this.starter.activeSpaces;
    const request = {
      ...{ lane, limit, perTarget, inFlight, afterTarget, places: this.places.ofSpaces },
      ...(onlySpace !== undefined && { perSpace: PER_SPACE }),
      ...(other === undefined && { onlySpace }),
      ...of,
    };
    const askedAt = performance.now();
    const answer = await this.parts.claim(request);
    this.claimedAt = performance.now();
    if (!of.only) this.rationed = spacesWithFullRation(answer.deliveries, request);
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
    for (const one of batch) this.places.take(one);
    const running = this.attempts
      .run(batch, askedAt, onStarted)
      .finally(() => this.processing.delete(running));
    this.processing.add(running);
  }

  private updateShare({ delivery, attempt }: Result): void {
    const crowded = this.busy >= this.limits.capacity * CROWDED;
    if (attempt) this.shares.recordAttempt(delivery.targetId, attempt.durationMs, crowded);
  }

  /** Schedules a retry in the lane of retries. */
  private scheduleRetry({ outcome }: Result): void {
    if (outcome.kind !== 'retry') return;
    this.parts.due(this.lane === LANES.first ? LANES.retry : this.lane, outcome.at);
  }

  private freeTarget(one: ClaimedDelivery): void {
    this.places.freeTarget(one);
    this.wake();
  }

  private freePlace(one: ClaimedDelivery): void {
    this.places.free(one);
    this.workedAt = performance.now();
    if (this.hasRoom || this.mayClaimPriority) this.onRoom?.();
    this.wake();
  }

  private get room(): number {
    return this.limits.capacity - this.busy;
  }

  private get hasMuchRoom(): boolean {
    return this.room >= this.limits.capacity * ROOM_FRACTION;
  }

  /**
   * Whether a walk may start: immediately with much room and no large spaces, otherwise at its
   * pace.
   */
  private get hasRoom(): boolean {
    if (this.hasMuchRoom && this.rationed.size === 0) return true;
    return this.room > 0 && this.pace.msLeft() <= 0;
  }

  /** Whether a delivery with priority may be claimed. */
  private get mayClaimPriority(): boolean {
    return this.priority.hasClaimable(this.places.ofSpaces, this.room);
  }

  private async waitForRoom(): Promise<void> {
    while (!this.hasRoom && !this.mayClaimPriority && !this.ended) await this.waitForFreedPlace();
  }

  private async waitForFreedPlace(): Promise<void> {
    const left = this.pace.msLeft();
    await new Promise<void>((resolve) => {
      // Without a free place, waiting does not help. With one, the walk may have become due since
      // the last check.
      const timer = left > 0 || this.room > 0 ? setTimeout(resolve, Math.max(Math.ceil(left), 0)) : undefined;
      this.onRoom = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.onRoom = undefined;
  }

  private async waitForWake(): Promise<void> {
    if (this.woken || this.ended) return;
    await new Promise<void>((resolve) => {
      const left = this.busy > 0 ? IDLE_MS : this.workedAt + IDLE_MS - performance.now();
      const timer = setTimeout(resolve, Math.max(left, 0) + 1);
      this.onWake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.onWake = undefined;
  }
}
