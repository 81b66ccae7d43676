import { createHash } from 'node:crypto';

/** A signed request, reduced to what tells an exact repeat from another use of its signature. */
export interface SignedRequest {
  webhookId: string;
  signature: Buffer;
  /** The message that a deletion is about; empty for all else. */
  subject: string;
  /** SHA-256 of what the signature does not cover: method, path with query, Idempotency-Key. */
  requestHash: Buffer;
}

/** The parts of a request that its signature does not cover. */
export interface UnsignedParts {
  method: string;
  /** The path as it was sent, with its query. */
  target: string;
  idempotencyKey: string | undefined;
}

/** The hash of the parts of a request that its signature does not cover. */
export function requestHash({ method, target, idempotencyKey }: UnsignedParts): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, target, idempotencyKey ?? null]))
    .digest();
}
