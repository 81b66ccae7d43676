import { setTimeout as sleep } from 'node:timers/promises';
import { LANES, NIL } from './claim-deliveries.js';
import type { ClaimAnswer, Lane } from './claim-deliveries.js';
import { TargetShares } from './target-shares.js';
import type { ClaimedDelivery, PreparedDelivery, Result } from '../delivery.types.js';

/** How much a lane may have under way. */
export interface LaneLimits {
  /** Attempts in flight, and results not yet written, in all. */
  capacity: number;
  /** Attempts in flight per target. */
  perTarget: number;
}

/** What a lane claims. */
export interface LaneClaim {
  lane: Lane;
  limit: number;
  perTarget: number;
  inFlight: ReadonlyMap<string, number>;
  places: ReadonlyMap<string, number>;
  afterTarget: string;
}

/** What a lane uses; none of it knows of lanes. */
export interface LaneParts {
  claim(request: LaneClaim): Promise<ClaimAnswer>;
  prepare(batch: ClaimedDelivery[]): Promise<PreparedDelivery[]>;
  /** Resolves once the result is written. */
  settle(result: Result): Promise<void>;
  failed(error: unknown): void;
  /** A delivery is due at this moment, in this lane. */
  due(lane: Lane, at: Date): void;
}

/**
 * A claim keeps this distance from the last one, and a greater one as long as there is less room than this, so that claims stay few and
 * large under load.
 */
const LINGER_MS = 4;
const LITTLE_ROOM_MS = 25;
const ROOM_FRACTION = 0.375;
const AFTER_FAILURE_MS = 500;
/** A lane of which so much is taken has nothing to spare for slow targets. */
const CROWDED = 0.5;
/** How long a lane is kept without work: what comes meanwhile is claimed at once. */
const IDLE_MS = 2_000;

/**
 * Owns deliveries from claim to release: claims while there is room and work, has each prepared, sent and settled, and frees its
 * places, once each, whatever went wrong. Lanes have capacities of their own, so that first attempts never wait behind
 * retries; a target that hangs fills only its own few places, slow ones fewer, and a space leaves some to the others.
 */
export class DeliveryLane {
  private readonly inFlight = new Map<string, number>();
  private readonly places = new Map<string, number>();
  private readonly shares: TargetShares;
  private readonly carried = new Set<Promise<void>>();
  private underWay = 0;
  private workedAt = 0;
  private claimedAt = -Infinity;
  private afterTarget = NIL;
  private foundInWalk = false;
  private ended = false;
  private running = false;
  private asked = false;
  private onAsked: (() => void) | undefined;
  private onRoom: (() => void) | undefined;

  constructor(
    readonly lane: Lane,
    private readonly limits: LaneLimits,
    private readonly parts: LaneParts,
  ) {
    this.shares = new TargetShares(limits.perTarget);
  }

  /** Deliveries claimed and not yet settled. */
  get busy(): number {
    return this.underWay;
  }

  /** Whether a {@link run} keeps the lane just now. */
  get isRunning(): boolean {
    return this.running;
  }

  /** There may be work: a run that keeps the lane looks now. */
  wake(): void {
    this.asked = true;
    this.onAsked?.();
  }

  /** Works until nothing was due for two seconds and everything is settled. Only tells the run that keeps the lane already. */
  async run(): Promise<void> {
    this.wake();
    if (this.running || this.ended) return;
    this.running = true;
    try {
      await this.keep();
    } finally {
      this.running = false;
    }
  }

  /** Claims nothing more, ever; the run ends when everything under way is settled. */
  end(): void {
    this.ended = true;
    this.onAsked?.();
    this.onRoom?.();
  }

  private async keep(): Promise<void> {
    this.workedAt = performance.now();
    while (!this.ended) {
      this.asked = false;
      if (await this.look()) this.workedAt = performance.now();
      else if (this.isIdle) break;
      else await this.untilAsked();
    }
    await Promise.all(this.carried);
  }

  /** Nothing is under way, nothing was for long, and nobody has asked since the last look. */
  private get isIdle(): boolean {
    return !this.asked && this.underWay === 0 && performance.now() - this.workedAt >= IDLE_MS;
  }

  /** @returns whether there may be more to claim */
  private async look(): Promise<boolean> {
    try {
      await this.linger();
      await this.room();
      return !this.ended && (await this.claim());
    } catch (error) {
      this.parts.failed(error);
      await sleep(AFTER_FAILURE_MS);
      return true;
    }
  }

  /** What comes long after the last claim is claimed at once. */
  private async linger(): Promise<void> {
    const left = this.claimedAt + LINGER_MS - performance.now();
    if (this.underWay > 0 && left > 0) await sleep(left);
  }

  private async claim(): Promise<boolean> {
    const limit = this.limits.capacity - this.underWay;
    const { lane, places, afterTarget } = this;
    const { perTarget } = this.limits;
    const inFlight = this.shares.within(this.inFlight);
    const request = { lane, limit, perTarget, inFlight, places, afterTarget };
    const { deliveries, lastTarget } = await this.parts.claim(request);
    this.claimedAt = performance.now();
    this.begin(deliveries);
    this.afterTarget = lastTarget ?? NIL;
    return this.mayFindMore(deliveries.length > 0, afterTarget);
  }

  /** More may be waiting behind where the walk over targets stopped, or in front of its beginning; not when a whole walk found nothing. */
  private mayFindMore(found: boolean, begunAfter: string): boolean {
    this.foundInWalk = found || (this.foundInWalk && begunAfter !== NIL);
    return this.foundInWalk || this.afterTarget !== NIL;
  }

  private begin(batch: ClaimedDelivery[]): void {
    if (batch.length === 0) return;
    this.underWay += batch.length;
    for (const { targetId, spaceId } of batch) {
      this.inFlight.set(targetId, (this.inFlight.get(targetId) ?? 0) + 1);
      this.places.set(spaceId, (this.places.get(spaceId) ?? 0) + 1);
    }
    const carrying = this.carry(batch).finally(() => this.carried.delete(carrying));
    this.carried.add(carrying);
  }

  private async carry(batch: ClaimedDelivery[]): Promise<void> {
    const prepared = await this.parts.prepare(batch).catch((error: unknown) => {
      // Nothing was sent: the leases run out and another claim takes them.
      this.parts.failed(error);
      for (const { targetId } of batch) this.freeTarget(targetId);
      for (const { spaceId } of batch) this.freePlace(spaceId);
      return [];
    });
    await Promise.all(prepared.map((one) => this.carryOne(one)));
  }

  private async carryOne({ delivery, attempt }: PreparedDelivery): Promise<void> {
    try {
      const result = await attempt().finally(() => this.freeTarget(delivery.targetId));
      this.share(result);
      await this.parts.settle(result);
      this.tellDue(result);
    } catch (error) {
      // Its lease runs out.
      this.parts.failed(error);
    } finally {
      this.freePlace(delivery.spaceId);
    }
  }

  private share({ delivery, attempt }: Result): void {
    const crowded = this.underWay >= this.limits.capacity * CROWDED;
    if (attempt) this.shares.answered(delivery.targetId, attempt.durationMs, crowded);
  }

  /** A retry goes to the lane of retries. */
  private tellDue({ outcome }: Result): void {
    if (outcome.kind !== 'retry') return;
    this.parts.due(this.lane === LANES.first ? LANES.retry : this.lane, outcome.at);
  }

  private freeTarget(targetId: string): void {
    countDown(this.inFlight, targetId);
    this.wake();
  }

  private freePlace(spaceId: string): void {
    this.underWay -= 1;
    countDown(this.places, spaceId);
    this.workedAt = performance.now();
    if (this.hasRoom) this.onRoom?.();
    this.wake();
  }

  /** A good part of the capacity is free, or a place for whoever has waited for some time. */
  private get hasRoom(): boolean {
    const free = this.limits.capacity - this.underWay;
    return free >= this.limits.capacity * ROOM_FRACTION || (free > 0 && this.sinceClaim >= LITTLE_ROOM_MS);
  }

  private get sinceClaim(): number {
    return performance.now() - this.claimedAt;
  }

  private async room(): Promise<void> {
    while (!this.hasRoom && !this.ended) await this.untilRoom();
  }

  private async untilRoom(): Promise<void> {
    const left = LITTLE_ROOM_MS - this.sinceClaim;
    await new Promise<void>((resolve) => {
      // Without one free place time brings none.
      const timer = left > 0 ? setTimeout(resolve, Math.ceil(left)) : undefined;
      this.onRoom = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.onRoom = undefined;
  }

  private async untilAsked(): Promise<void> {
    if (this.asked || this.ended) return;
    await new Promise<void>((resolve) => {
      const left = this.underWay > 0 ? IDLE_MS : this.workedAt + IDLE_MS - performance.now();
      const timer = setTimeout(resolve, Math.max(left, 0) + 1);
      this.onAsked = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.onAsked = undefined;
  }
}

function countDown(counts: Map<string, number>, id: string): void {
  const left = (counts.get(id) ?? 1) - 1;
  if (left > 0) counts.set(id, left);
  else counts.delete(id);
}
