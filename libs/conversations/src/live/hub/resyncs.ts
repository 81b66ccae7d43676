import type { LiveReceiver } from './live-audience.js';

/**
 * How long a client that was told to catch up is not told again; what it misses meanwhile counts
 * afterwards.
 */
const REST_MS = 5000;
/**
 * Clients that are told to catch up read history at once, so they are spread: by this long for
 * each, up to MAX_SPREAD_MS in all.
 */
const SPREAD_PER_STREAM_MS = 1;
const MAX_SPREAD_MS = 10_000;

/** Tells streams that events may be missing: seldom, and not all in the same moment. */
export class Resyncs {
  private readonly waiting = new Map<LiveReceiver, NodeJS.Timeout>();
  private readonly toldAt = new WeakMap<LiveReceiver, number>();

  /** @param among how many there are to be told; one alone is told at once */
  tell(receiver: LiveReceiver, among: number): void {
    if (this.waiting.has(receiver)) return;
    const rested = performance.now() - (this.toldAt.get(receiver) ?? -Infinity);
    const spread = Math.min((among - 1) * SPREAD_PER_STREAM_MS, MAX_SPREAD_MS);
    const wait = Math.max(0, REST_MS - rested) + Math.floor(Math.random() * spread);
    if (wait === 0) this.now(receiver);
    else this.waiting.set(receiver, setTimeout(() => this.now(receiver), wait).unref());
  }

  /** The stream is over. */
  forget(receiver: LiveReceiver): void {
    clearTimeout(this.waiting.get(receiver));
    this.waiting.delete(receiver);
  }

  private now(receiver: LiveReceiver): void {
    this.waiting.delete(receiver);
    this.toldAt.set(receiver, performance.now());
    receiver.missed();
  }
}
