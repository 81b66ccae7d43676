import type { MicroBatchLimits } from './micro-batch.js';

/**
 * How tokens are looked up (`db.lookUp`). Every request waits for it: a batch on a connection that
 * was swallowed holds up nobody but those in it, and them for three seconds.
 */
export const LOOK_UP: { batches: MicroBatchLimits; timeoutMs: number } = {
  batches: { maxInFlight: 2 },
  timeoutMs: 3_000,
};
