import type { MicroBatchLimits } from './micro-batch.js';

/**
 * Limits for token lookups (`db.lookUp`), which every request waits for. A batch on a dead
 * connection delays only its own requests, for three seconds.
 */
export const LOOK_UP: { batches: Pick<MicroBatchLimits, 'maxInFlight'>; timeoutMs: number } = {
  batches: { maxInFlight: 2 },
  timeoutMs: 3_000,
};
