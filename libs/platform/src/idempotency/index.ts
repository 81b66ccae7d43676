export { idempotencyKeyOf, requiredIdempotencyKey } from './key-of.js';
export { dropOldKeys, fingerprint, inTxOnce, once } from './once.js';
export { IdempotencyWorkerModule } from './idempotency-worker.module.js';
