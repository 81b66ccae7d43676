import { rateLimited } from '../api-error.js';

const WINDOW_MS = 60_000;
/** Addresses that are remembered at most; the oldest are forgotten. */
const MAX_ADDRESSES = 10_000;

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Counts wrong guesses by network address, in fixed windows of a minute: who made too many is not listened to until the window ends. */
export class Failures {
  private readonly windows = new Map<string, Window>();

  /** @param limit of one address in a minute */
  constructor(private readonly limit: number) {}

  /** @throws 429 when this address has failed too often */
  requireFew(address: string, now = performance.now()): void {
    const window = this.windows.get(address);
    if (window && window.count >= this.limit && now < window.endsAt)
      throw rateLimited((window.endsAt - now) / 1000);
  }

  add(address: string, now = performance.now()): void {
    const window = this.windows.get(address);
    if (window && now < window.endsAt) {
      window.count += 1;
      return;
    }
    this.windows.delete(address);
    this.windows.set(address, { count: 1, endsAt: now + WINDOW_MS });
    const [oldest] = this.windows.keys();
    if (this.windows.size > MAX_ADDRESSES && oldest !== undefined) this.windows.delete(oldest);
  }
}
