import type { QueryLimits } from './db.js';
import type { MicroBatchLimits } from './micro-batch.js';

/**
 * How tokens are looked up. Every request waits for it: a batch on a connection that was swallowed holds up nobody but those in it,
 * and them for three seconds.
 */
export const LOOK_UP: { batches: MicroBatchLimits; limits: QueryLimits } = {
  batches: { maxInFlight: 2 },
  limits: { timeoutMs: 3_000 },
};
