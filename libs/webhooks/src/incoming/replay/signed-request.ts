import { createHash } from 'node:crypto';

/**
 * The parts of a signed request that distinguish an exact repeat from another use of its signature.
 */
export interface SignedRequest {
  spaceId: string;
  webhookId: string;
  signature: Buffer;
  /** The message to delete. Empty for other requests. */
  subject: string;
  /**
   * SHA-256 of the parts not covered by the signature: method, path with query, Idempotency-Key.
   */
  requestHash: Buffer;
}

/** The parts of a request not covered by its signature. */
export interface UnsignedParts {
  method: string;
  /** The raw path with its query. */
  target: string;
  idempotencyKey: string | undefined;
}

export function requestHash({ method, target, idempotencyKey }: UnsignedParts): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, target, idempotencyKey ?? null]))
    .digest();
}
