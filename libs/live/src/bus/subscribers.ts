import type { BusHandler } from './bus.js';
import { channelOf, payloadOf } from './lines.js';

/** The handlers of this process by channel. */
export class Subscribers {
  private readonly byChannel = new Map<string, Set<BusHandler>>();

  constructor(private readonly failed: () => void) {}

  /** Adds a handler. A function added twice is called twice. Returns a function that removes it. */
  add(channel: string, handler: BusHandler): () => void {
    const own: BusHandler = (payload, size) => handler(payload, size);
    const handlers = this.byChannel.get(channel) ?? new Set();
    handlers.add(own);
    this.byChannel.set(channel, handlers);
    return () => {
      handlers.delete(own);
      if (handlers.size === 0 && this.byChannel.get(channel) === handlers) this.byChannel.delete(channel);
    };
  }

  /** Whether this process has subscribers of the channel. */
  has(channel: string): boolean {
    return this.byChannel.has(channel);
  }

  /** Passes a message to the handlers of its channel. Each gets its own copy of the payload. */
  dispatch(line: string): void {
    const handlers = this.byChannel.get(channelOf(line));
    if (handlers === undefined) return;
    for (const handler of [...handlers]) {
      try {
        handler(payloadOf(line), line.length);
      } catch {
        this.failed();
      }
    }
  }
}
