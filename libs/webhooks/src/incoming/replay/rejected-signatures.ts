/** How long a rejected signature is kept. Signatures with a timestamp expire earlier. */
const LIFETIME_MS = 600_000;
/** Limit of entries. The oldest are dropped. */
const MAX_ENTRIES = 10_000;

/**
 * Signatures of requests that this process rejected. An attacker who captured such a request can
 * send it again, so its repeats neither count as failures nor use the webhook's rate limit.
 */
export class RejectedSignatures {
  private readonly expiries = new Map<string, number>();

  /** @param lifetimeMs how long a signature is kept */
  constructor(private readonly lifetimeMs = LIFETIME_MS) {}

  /** Adds the signature of a rejected request. */
  add(webhookId: string, signature: Buffer): void {
    const key = keyOf(webhookId, signature);
    this.expiries.delete(key);
    this.expiries.set(key, performance.now() + this.lifetimeMs);
    const [oldest] = this.expiries.keys();
    if (this.expiries.size > MAX_ENTRIES && oldest !== undefined) this.expiries.delete(oldest);
  }

  /** Returns whether a request with this signature was rejected within the lifetime. */
  has(webhookId: string, signature: Buffer): boolean {
    const expiry = this.expiries.get(keyOf(webhookId, signature));
    return expiry !== undefined && expiry > performance.now();
  }
}

function keyOf(webhookId: string, signature: Buffer): string {
  return `${webhookId}/${signature.toString('hex')}`;
}
