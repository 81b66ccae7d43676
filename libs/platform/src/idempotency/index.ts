export { idempotencyKeyOf, requiredIdempotencyKey } from './key-of.js';
export { checkIdempotencyKey, dropOldKeys, fingerprint, once } from './once.js';
export type { IdempotentRequest } from './once.js';
export { IdempotencyWorkerModule } from './idempotency-worker.module.js';
