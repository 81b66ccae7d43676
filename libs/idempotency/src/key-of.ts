import { invalidField } from '@tieline/platform/http';
import { checkIdempotencyKey, invalidIdempotencyKey } from './once.js';

/**
 * Returns the idempotency key of a request that may have it in the `Idempotency-Key` header, in the
 * body's `idempotency_key`, or in both; null and an empty text count as absent.
 *
 * @returns undefined when there is none
 * @throws 400 for a malformed key, or when the two differ
 */
export function idempotencyKeyOf(header: string | undefined, body: unknown): string | undefined {
  const inBody = body === '' ? undefined : (body ?? undefined);
  const key = (header === '' ? undefined : header) ?? inBody;
  if (key === undefined) return undefined;
  if (typeof key !== 'string') throw invalidIdempotencyKey();
  checkIdempotencyKey(key);
  if (inBody !== undefined && inBody !== key)
    throw invalidField('idempotency_key', 'Idempotency-Key and idempotency_key differ');
  return key;
}

/** Like {@link idempotencyKeyOf}, but requires a key. @throws 400 when there is none */
export function requiredIdempotencyKey(header: string | undefined, body: unknown): string {
  const key = idempotencyKeyOf(header, body);
  if (key === undefined) throw invalidField('idempotency_key', 'idempotency key is required');
  return key;
}
