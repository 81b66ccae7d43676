import type { ClaimResult, Lane } from '../claims/claim-deliveries.js';
import type { PlannedTargets } from './planned-targets.js';
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
  /** Deliveries of one space at most; as many as the limit when absent. */
  perSpace?: number;
  /** The only space with deliveries in the last second: its number has no limit of its own. */
  onlySpace?: string | undefined;
  inFlight: ReadonlyMap<string, number>;
  places: ReadonlyMap<string, number>;
  afterTarget: string;
  /** Only of these targets, instead of a walk. */
  only?: PlannedTargets;
}

/** What a lane uses; none of it knows of lanes. */
export interface LaneParts {
  claim(request: LaneClaim): Promise<ClaimResult>;
  prepare(batch: ClaimedDelivery[]): Promise<PreparedDelivery[]>;
  /** Whether a delivery that was claimed long ago is still this worker's. */
  renew(delivery: ClaimedDelivery): Promise<boolean>;
  /** Resolves once the result is written. */
  settle(result: Result): Promise<void>;
  failed(error: unknown): void;
  /** A delivery is due at this moment, in this lane. */
  due(lane: Lane, at: Date): void;
}
