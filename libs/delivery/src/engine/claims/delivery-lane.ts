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

/** What a lane needs from the engine. */
export interface LaneWork {
  claim(request: {
    lane: Lane;
    limit: number;
    perTarget: number;
    inFlight: ReadonlyMap<string, number>;
    afterTarget: string;
  }): Promise<ClaimAnswer>;
  /** Carries a batch to its end: sends, and writes the results. `sent` is called for each when its attempt is over. */
  carry(batch: ClaimedDelivery[], sent: (delivery: ClaimedDelivery) => void): Promise<void>;
  failed(error: unknown): void;
}

/** A claim waits for this much room, or for this long, so that claims stay few and large under load. */
const ROOM_FRACTION = 0.25;
const LINGER_MS = 4;
const AFTER_FAILURE_MS = 500;

/**
 * Keeps one lane busy: claims while there is room and work, sleeps until woken otherwise. Lanes have capacities of
 * their own, so that first attempts never wait behind retries; a target that hangs fills only its own few slots.
 */
export class DeliveryLane {
  private readonly inFlight = new Map<string, number>();
  private underWay = 0;
  private woken = true;
  private stopping = false;
  private afterTarget = NIL;
  private nudge: (() => void) | undefined;
  private loop: Promise<void> | undefined;

  constructor(
    readonly lane: Lane,
    private readonly limits: LaneLimits,
    private readonly work: LaneWork,
  ) {}

  /** Deliveries claimed and not yet settled. */
  get busy(): number {
    return this.underWay;
  }

  start(): void {
    this.loop = this.run();
  }

  /** There may be work: look now. */
  wake(): void {
    this.woken = true;
    this.nudge?.();
  }

  /** Claims nothing more and resolves when everything under way is settled. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.nudge?.();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      await this.until(() => this.stopping || this.woken);
      await this.room();
      if (this.stopping) break;
      await this.claimOnce();
    }
    await this.until(() => this.underWay === 0);
  }

  private async claimOnce(): Promise<void> {
    this.woken = false;
    const limit = this.limits.capacity - this.underWay;
    const { lane, inFlight, afterTarget } = this;
    try {
      const { deliveries, lastTarget } = await this.work.claim({
        lane,
        limit,
        perTarget: this.limits.perTarget,
        inFlight,
        afterTarget,
      });
      this.begin(deliveries);
      this.afterTarget = this.nextStart(deliveries, limit, lastTarget);
      // More may be waiting: behind where the walk stopped, behind the limit, or for slots that get free.
      if (deliveries.length > 0 || lastTarget !== undefined || afterTarget !== NIL) this.woken = true;
    } catch (error) {
      this.work.failed(error);
      await this.sleep(AFTER_FAILURE_MS);
      this.woken = true;
    }
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
    void this.work
      .carry(batch, (delivery) => this.freeTarget(delivery.targetId))
      .catch((error: unknown) => this.work.failed(error));
  }

  /** Called by the engine for every delivery that is settled (or given up): its place in the lane is free again. */
  release(count: number): void {
    this.underWay -= count;
    this.woken = true;
    this.nudge?.();
  }

  private freeTarget(targetId: string): void {
    const left = (this.inFlight.get(targetId) ?? 1) - 1;
    if (left > 0) this.inFlight.set(targetId, left);
    else this.inFlight.delete(targetId);
    this.woken = true;
    this.nudge?.();
  }

  /** Waits until a good part of the capacity is free; with little under way there is no need to. */
  private async room(): Promise<void> {
    const enough = (): boolean =>
      this.stopping || this.limits.capacity - this.underWay >= this.limits.capacity * ROOM_FRACTION;
    if (this.underWay > 0 && !this.stopping) await this.sleep(LINGER_MS);
    await this.until(enough);
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.nudge = resolve;
      });
      this.nudge = undefined;
    }
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}
