export { idempotencyKeyOf, requiredIdempotencyKey } from './key-of.js';
export {
  canonicalJson,
  findAnswer,
  fingerprint,
  IDEMPOTENCY_KEY_SCHEMA,
  inTxOnce,
  isRepeated,
} from './once.js';
export type { IdempotentRequest } from './once.js';
export { IdempotencyWorkerModule } from './idempotency-worker.module.js';
