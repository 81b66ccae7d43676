import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@tieline/platform/background';
import type { ClaimAnswer, Lane } from './claim-deliveries.js';
import { NIL } from './claim-deliveries.js';
import type { ClaimedDelivery } from '../delivery.types.js';

/** How much a lane may have under way. */
export interface LaneLimits {
  /** Attempts in flight, and results not yet written, in all. */
  capacity: number;
  /** Attempts in flight per target. */
  perTarget: number;
}

/** What a lane asks the engine to claim. */
export interface LaneClaim {
  lane: Lane;
  limit: number;
  perTarget: number;
  inFlight: ReadonlyMap<string, number>;
  afterTarget: string;
}

/** What a lane is told about the deliveries that it handed over. */
export interface CarryProgress {
  /** The attempt is over: the target has a free place again. */
  sent(delivery: ClaimedDelivery): void;
  /** The result is written, or given up: the lane has a free place again. */
  settled(): void;
}

/** What a lane needs from the engine. */
export interface LaneWork {
  claim(request: LaneClaim): Promise<ClaimAnswer>;
  /** Sends a batch and writes the results, and tells `progress` of both for each delivery. */
  carry(batch: ClaimedDelivery[], progress: CarryProgress): Promise<void>;
  failed(error: unknown): void;
}

/** A claim waits until there is this much room, or for this long, so that claims stay few and large under load. */
const ROOM_FRACTION = 0.25;
const LINGER_MS = 4;
const AFTER_FAILURE_MS = 500;

/**
 * Keeps one lane busy: claims while there is room and work, sleeps until woken otherwise. Lanes have capacities of
 * their own, so that first attempts never wait behind retries; a target that hangs fills only its own few slots.
 */
export class DeliveryLane {
  private readonly inFlight = new Map<string, number>();
  private readonly carried = new Set<Promise<void>>();
  private readonly claiming: Loop;
  private underWay = 0;
  private afterTarget = NIL;
  private onRoom: (() => void) | undefined;

  constructor(
    readonly lane: Lane,
    private readonly limits: LaneLimits,
    private readonly work: LaneWork,
  ) {
    this.claiming = new Loop(() => this.claimWithRoom(), {
      retryMs: AFTER_FAILURE_MS,
      failed: (error) => work.failed(error),
    });
  }

  /** Deliveries claimed and not yet settled. */
  get busy(): number {
    return this.underWay;
  }

  /** There may be work: look now. */
  wake(): void {
    this.claiming.wake();
  }

  /** Claims nothing more and resolves when everything under way is settled. */
  async stop(): Promise<void> {
    await this.claiming.stop();
    await Promise.all(this.carried);
  }

  /** @returns whether there may be more to claim */
  private async claimWithRoom(): Promise<boolean> {
    if (this.underWay > 0) await sleep(LINGER_MS);
    await this.room();
    return !this.claiming.stopped && this.claim();
  }

  private async claim(): Promise<boolean> {
    const limit = this.limits.capacity - this.underWay;
    const { lane, inFlight, afterTarget } = this;
    const { perTarget } = this.limits;
    const { deliveries, lastTarget } = await this.work.claim({
      lane,
      limit,
      perTarget,
      inFlight,
      afterTarget,
    });
    this.begin(deliveries);
    this.afterTarget = this.nextStart(deliveries, limit, lastTarget);
    // More may be waiting: behind where the walk stopped, behind the limit, or for slots that get free.
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
    const carrying = this.work
      .carry(batch, { sent: ({ targetId }) => this.freeTarget(targetId), settled: () => this.settled() })
      .catch((error: unknown) => this.work.failed(error))
      .finally(() => this.carried.delete(carrying));
    this.carried.add(carrying);
  }

  private freeTarget(targetId: string): void {
    const left = (this.inFlight.get(targetId) ?? 1) - 1;
    if (left > 0) this.inFlight.set(targetId, left);
    else this.inFlight.delete(targetId);
    this.wake();
  }

  private settled(): void {
    this.underWay -= 1;
    if (this.hasRoom) this.onRoom?.();
    this.wake();
  }

  /** A good part of the capacity is free. */
  private get hasRoom(): boolean {
    return this.limits.capacity - this.underWay >= this.limits.capacity * ROOM_FRACTION;
  }

  private async room(): Promise<void> {
    while (!this.hasRoom && !this.claiming.stopped)
      await new Promise<void>((resolve) => (this.onRoom = resolve));
  }
}
