import { setTimeout as sleep } from 'node:timers/promises';
import { LANES, NIL } from './claim-deliveries.js';
import type { ClaimAnswer, Lane } from './claim-deliveries.js';
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

/** A claim waits for this much room, and keeps this distance from the last one, so that claims stay few and large under load. */
const ROOM_FRACTION = 0.25;
const LINGER_MS = 4;
const AFTER_FAILURE_MS = 500;
/** How long a lane is kept without work: what comes meanwhile is claimed at once. */
const IDLE_MS = 2_000;

/**
 * Owns deliveries from claim to release: claims while there is room and work, has each prepared, sent and settled, and frees its
 * places, once each, whatever went wrong. Lanes have capacities of their own, so that first attempts never wait behind
 * retries; a target that hangs fills only its own few places.
 */
export class DeliveryLane {
  private readonly inFlight = new Map<string, number>();
  private readonly carried = new Set<Promise<void>>();
  private underWay = 0;
  private workedAt = 0;
  private claimedAt = -Infinity;
  private afterTarget = NIL;
  private ended = false;
  private running = false;
  private asked = false;
  private onAsked: (() => void) | undefined;
  private onRoom: (() => void) | undefined;

  constructor(
    readonly lane: Lane,
    private readonly limits: LaneLimits,
    private readonly parts: LaneParts,
  ) {}

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
    const { lane, inFlight, afterTarget } = this;
    const { perTarget } = this.limits;
    const request = { lane, limit, perTarget, inFlight, afterTarget };
    const { deliveries, lastTarget } = await this.parts.claim(request);
    this.claimedAt = performance.now();
    this.begin(deliveries);
    this.afterTarget = this.nextStart(deliveries, limit, lastTarget);
    // More may be waiting: behind where the walk stopped, behind the limit, or for places that get free.
    return deliveries.length > 0 || lastTarget !== undefined || afterTarget !== NIL;
  }

  /** A claim that hit its limit goes on behind the last target it served; one that saw everything starts over. */
  private nextStart(deliveries: ClaimedDelivery[], limit: number, lastTarget: string | undefined): string {
    if (deliveries.length < limit) return lastTarget ?? NIL;
    return deliveries.reduce((last, { targetId }) => (targetId > last ? targetId : last), NIL);
  }

  private begin(batch: ClaimedDelivery[]): void {
    if (batch.length === 0) return;
    this.underWay += batch.length;
    for (const { targetId } of batch) this.inFlight.set(targetId, (this.inFlight.get(targetId) ?? 0) + 1);
    const carrying = this.carry(batch).finally(() => this.carried.delete(carrying));
    this.carried.add(carrying);
  }

  private async carry(batch: ClaimedDelivery[]): Promise<void> {
    const prepared = await this.parts.prepare(batch).catch((error: unknown) => {
      // Nothing was sent: the leases run out and another claim takes them.
      this.parts.failed(error);
      for (const { targetId } of batch) this.freeTarget(targetId);
      for (const _ of batch) this.freePlace();
      return [];
    });
    await Promise.all(prepared.map((one) => this.carryOne(one)));
  }

  private async carryOne({ delivery, attempt }: PreparedDelivery): Promise<void> {
    try {
      const result = await attempt().finally(() => this.freeTarget(delivery.targetId));
      await this.parts.settle(result);
      this.tellDue(result);
    } catch (error) {
      // Its lease runs out.
      this.parts.failed(error);
    } finally {
      this.freePlace();
    }
  }

  /** A retry goes to the lane of retries. */
  private tellDue({ outcome }: Result): void {
    if (outcome.kind !== 'retry') return;
    this.parts.due(this.lane === LANES.first ? LANES.retry : this.lane, outcome.at);
  }

  private freeTarget(targetId: string): void {
    const left = (this.inFlight.get(targetId) ?? 1) - 1;
    if (left > 0) this.inFlight.set(targetId, left);
    else this.inFlight.delete(targetId);
    this.wake();
  }

  private freePlace(): void {
    this.underWay -= 1;
    this.workedAt = performance.now();
    if (this.hasRoom) this.onRoom?.();
    this.wake();
  }

  /** A good part of the capacity is free. */
  private get hasRoom(): boolean {
    return this.limits.capacity - this.underWay >= this.limits.capacity * ROOM_FRACTION;
  }

  private async room(): Promise<void> {
    while (!this.hasRoom && !this.ended) await new Promise<void>((resolve) => (this.onRoom = resolve));
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
