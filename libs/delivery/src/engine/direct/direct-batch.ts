import type { Queryable } from '@tieline/platform/database';
import type { TargetMap, TargetOf } from '../delivery-kinds.js';
import type { ClaimedDelivery, NewDelivery } from '../delivery.types.js';
import type { PlannedPlaces } from '../lanes/planned-places.js';

/** What a {@link DirectBatch} needs of the lane and the engine. */
export interface DirectParts {
  /** Returns places for deliveries of these spaces, or undefined while the lane has little room. */
  places(spaceIds: readonly string[]): PlannedPlaces | undefined;
  loadTargets(db: Queryable, deliveries: readonly TargetOf[]): Promise<TargetMap>;
  /**
   * Sends deliveries whose places are taken.
   * @param targets read now if left out
   */
  send(batch: ClaimedDelivery[], askedAt: number, targets?: TargetMap): void;
}

/** How deliveries are leased when they are planned. */
export interface DirectLease {
  owner: number;
  leaseMs: number;
}

/**
 * The deliveries of one planning transaction that this worker leases while it plans them, and sends
 * from memory after the commit. They need no claim and no wake-up
 * (docs/life-of-a-message.md#5-plan-the-deliveries).
 */
export class DirectBatch {
  private places: PlannedPlaces | undefined;
  private readonly reserved = new Set<NewDelivery>();
  private readonly leased: ClaimedDelivery[] = [];
  private readonly targets: TargetMap = new Map();
  private askedAt = 0;

  /** @param ended called once, when the batch is sent or released */
  constructor(
    readonly lease: DirectLease,
    private readonly parts: DirectParts,
    private readonly ended: () => void,
  ) {}

  /** Takes a place for each delivery that may be sent directly. Test sends never are. */
  reserve(deliveries: readonly NewDelivery[]): Set<NewDelivery> {
    this.askedAt ||= performance.now();
    this.places ??= this.parts.places(deliveries.map(({ spaceId }) => spaceId));
    const { places } = this;
    const reserved = new Set(deliveries.filter((one) => one.counts !== false && places?.take(one) === true));
    for (const one of reserved) this.reserved.add(one);
    return reserved;
  }

  /** Reads the targets of reserved deliveries, in the planning transaction. */
  async loadTargets(db: Queryable, deliveries: Iterable<NewDelivery>): Promise<void> {
    const unknown = [...deliveries].filter(({ kind, targetId }) => !this.targets.has(`${kind}/${targetId}`));
    if (unknown.length === 0) return;
    for (const [key, target] of await this.parts.loadTargets(db, unknown)) this.targets.set(key, target);
  }

  /** Adds a reserved delivery that was inserted with a lease. */
  add(delivery: ClaimedDelivery): void {
    this.leased.push(delivery);
  }

  /** Frees the place of a reserved delivery that was inserted without a lease. */
  free(delivery: NewDelivery): void {
    if (this.reserved.delete(delivery)) this.places?.free(delivery);
  }

  /**
   * Sends the deliveries after the commit.
   * @param isCommitted false if the outcome is unknown. Their leases are then renewed first, so
   * only committed deliveries are sent.
   */
  send(isCommitted: boolean): void {
    const batch = this.leased.splice(0);
    if (batch.length > 0) this.parts.send(batch, isCommitted ? this.askedAt : -Infinity, this.targets);
    this.ended();
  }

  /** Frees the places after a rollback. */
  release(): void {
    for (const one of this.reserved) this.free(one);
    this.ended();
  }
}
