export { idempotencyKeyOf, requiredIdempotencyKey } from './key-of.js';
export { fingerprint, inTxOnce } from './once.js';
export { IdempotencyWorkerModule } from './idempotency-worker.module.js';
