export { idempotencyKeyOf, requiredIdempotencyKey } from './key-of.js';
export { findAnswer, fingerprint, inTxOnce, isRepeated } from './once.js';
export type { IdempotentRequest } from './once.js';
export { IdempotencyWorkerModule } from './idempotency-worker.module.js';
