import { rateLimited } from '../api-error.js';
import { countedAddress } from '../callers/client-addresses.js';

const WINDOW_MS = 60_000;
/** Maximum number of addresses; the oldest are forgotten. */
const MAX_ADDRESSES = 10_000;

interface Window {
  count: number;
  readonly endsAt: number;
}

/**
 * Counts wrong guesses by network address in fixed windows of a minute; IPv6 addresses count by
 * their /64. Further wrong guesses are 429 until the window ends. Callers check a credential first:
 * a correct one is never refused.
 */
export class Failures {
  private readonly windows = new Map<string, Window>();

  /** @param limit per address and minute */
  constructor(private readonly limit: number) {}

  /** @throws 429 when this address has failed too often */
  requireFew(address: string, now = performance.now()): void {
    const window = this.windows.get(countedAddress(address));
    if (window && window.count >= this.limit && now < window.endsAt)
      throw rateLimited((window.endsAt - now) / 1000);
  }

  add(address: string, now = performance.now()): void {
    const key = countedAddress(address);
    const window = this.windows.get(key);
    if (window && now < window.endsAt) {
      window.count += 1;
      return;
    }
    this.windows.delete(key);
    this.windows.set(key, { count: 1, endsAt: now + WINDOW_MS });
    const [oldest] = this.windows.keys();
    if (this.windows.size > MAX_ADDRESSES && oldest !== undefined) this.windows.delete(oldest);
  }
}
