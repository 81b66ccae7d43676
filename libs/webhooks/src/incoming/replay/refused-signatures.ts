/** How long a refused signature is remembered; signatures with a timestamp expire before. */
const REMEMBERED_MS = 600_000;
/** The oldest entries are dropped beyond this number. */
const MAX_ENTRIES = 10_000;

/**
 * Signatures of requests that this process refused. An attacker who captured such a request can
 * send it again, so its repeats neither count as failures nor use the rate of the webhook.
 */
export class RefusedSignatures {
  private readonly expiries = new Map<string, number>();

  /** @param lifetimeMs how long a signature is remembered */
  constructor(private readonly lifetimeMs = REMEMBERED_MS) {}

  /** Remembers the signature of a refused request. */
  add(webhookId: string, signature: Buffer): void {
    const key = keyOf(webhookId, signature);
    this.expiries.delete(key);
    this.expiries.set(key, performance.now() + this.lifetimeMs);
    const [oldest] = this.expiries.keys();
    if (this.expiries.size > MAX_ENTRIES && oldest !== undefined) this.expiries.delete(oldest);
  }

  /** Returns whether a request with this signature was refused and is still remembered. */
  has(webhookId: string, signature: Buffer): boolean {
    const expiry = this.expiries.get(keyOf(webhookId, signature));
    return expiry !== undefined && expiry > performance.now();
  }
}

function keyOf(webhookId: string, signature: Buffer): string {
  return `${webhookId}/${signature.toString('hex')}`;
}
