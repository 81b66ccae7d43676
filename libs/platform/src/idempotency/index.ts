export { idempotencyKeyOf, requiredIdempotencyKey } from './key-of.js';
export { dropOldKeys, fingerprint, once } from './once.js';
export { IdempotencyWorkerModule } from './idempotency-worker.module.js';
