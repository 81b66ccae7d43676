import type { ClaimResult, Lane } from '../claims/claim-deliveries.js';
import type { PlannedTargets } from './planned-targets.js';
import type { ClaimedDelivery, PreparedDelivery, Result } from '../delivery.types.js';

/** Limits of a lane. */
export interface LaneLimits {
  /** Attempts in flight and results not yet written. */
  capacity: number;
  /** Attempts in flight per target. */
  perTarget: number;
  /**
   * The same for quick targets while at most a quarter of the lane is taken. Defaults to
   * `perTarget`.
   */
  perQuickTarget?: number;
}

/** Parameters of a lane's claim. */
export interface LaneClaim {
  lane: Lane;
  limit: number;
  perTarget: number;
  /** Maximum number of deliveries of one space. Defaults to `limit`. */
  perSpace?: number;
  /** The only space with deliveries in the last second. `perSpace` does not limit it. */
  onlySpace?: string | undefined;
  inFlight: ReadonlyMap<string, number>;
  places: ReadonlyMap<string, number>;
  afterTarget: string;
  /** Claims only from these targets, without a walk. */
  only?: PlannedTargets;
}

/** What a lane depends on. None of it knows about lanes. */
export interface LaneParts {
  claim(request: LaneClaim): Promise<ClaimResult>;
  prepare(batch: ClaimedDelivery[]): Promise<PreparedDelivery[]>;
  /** Extends a lease. Resolves with false if this worker no longer has it. */
  renew(delivery: ClaimedDelivery): Promise<boolean>;
  /** Resolves once the result is written. */
  settle(result: Result): Promise<void>;
  failed(error: unknown): void;
  /** Schedules a wake-up of the lane at this time. */
  due(lane: Lane, at: Date): void;
}
