import type { LiveReceiver } from './live-audience.js';

/** Minimum interval between two resync events of one client. */
const MIN_INTERVAL_MS = 5000;
/**
 * A resync makes clients read history. To spread the load, clients are notified over a period of
 * this length per client, up to MAX_SPREAD_MS in total.
 */
const SPREAD_PER_STREAM_MS = 1;
const MAX_SPREAD_MS = 10_000;

/** Sends resync events to streams, rate-limited per stream and spread over time. */
export class ResyncNotifier {
  private readonly waiting = new Map<LiveReceiver, NodeJS.Timeout>();
  private readonly notifiedAt = new WeakMap<LiveReceiver, number>();

  /** @param streamCount streams that need a resync. A single one is notified immediately. */
  notify(receiver: LiveReceiver, streamCount: number): void {
    if (this.waiting.has(receiver)) return;
    const elapsed = performance.now() - (this.notifiedAt.get(receiver) ?? -Infinity);
    const spread = Math.min((streamCount - 1) * SPREAD_PER_STREAM_MS, MAX_SPREAD_MS);
    const wait = Math.max(0, MIN_INTERVAL_MS - elapsed) + Math.floor(Math.random() * spread);
    if (wait === 0) this.now(receiver);
    else this.waiting.set(receiver, setTimeout(() => this.now(receiver), wait).unref());
  }

  /** Cancels a pending resync of a closed stream. */
  cancel(receiver: LiveReceiver): void {
    clearTimeout(this.waiting.get(receiver));
    this.waiting.delete(receiver);
  }

  private now(receiver: LiveReceiver): void {
    this.waiting.delete(receiver);
    this.notifiedAt.set(receiver, performance.now());
    receiver.missed();
  }
}
