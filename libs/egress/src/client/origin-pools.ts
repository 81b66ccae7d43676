import { Loop } from '@tieline/background';
import { Client, Pool, type Dispatcher, type buildConnector } from 'undici';
import { InterimResponses } from './interim-responses.js';

/** Limits of the connection pools. */
export interface PoolOptions {
  /** Maximum connections to one origin. */
  readonly connectionsPerOrigin: number;
  /** Maximum number of open pools; beyond it the least recently used idle one is closed. */
  readonly maxOrigins: number;
  /** A pool without requests for this long is closed, in milliseconds. */
  readonly idleMs: number;
  /**
   * A pool older than this is replaced, so that a busy one follows DNS changes too, in
   * milliseconds.
   */
  readonly maxAgeMs: number;
}

/** The pool of an origin with the number of its requests in flight. */
export interface OriginPool {
  readonly dispatcher: Pool;
  inFlight: number;
}

interface PoolEntry extends OriginPool {
  readonly openedAt: number;
  lastUsedAt: number;
}

/**
 * One connection of a pool. Counts the responses of its current socket, to tell a reused socket
 * from a new one, and skips interim responses.
 */
export class Connection extends Client {
  responsesOnSocket = 0;
  private readonly present: PresentSocket;

  constructor(origin: URL | string, options: Client.Options & { connect: buildConnector.connector }) {
    const present: PresentSocket = { interim: undefined };
    super(origin, { ...options, connect: skippingInterim(options.connect, present) });
    this.present = present;
    this.on('connect', () => {
      this.responsesOnSocket = 0;
    });
  }

  /** Call it when a request begins on this connection. */
  awaitResponse(): void {
    this.present.interim?.awaitResponse();
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    (options as RequestOptions).onAssigned?.(this);
    return super.dispatch(options, handler);
  }
}

interface PresentSocket {
  interim: InterimResponses | undefined;
}

function skippingInterim(
  connect: buildConnector.connector,
  present: PresentSocket,
): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      present.interim = InterimResponses.skippedOn(socket);
      callback(null, socket);
    });
}

/** Dispatch options that report which connection of the pool took the request. */
export interface RequestOptions extends Dispatcher.DispatchOptions {
  onAssigned?: (connection: Connection) => void;
}

/**
 * One bounded pool per origin; idle, old and surplus pools are closed once their requests are done.
 */
export class OriginPools {
  // Ordered by last use, the oldest first: a used entry is removed and added again.
  private readonly entries = new Map<string, PoolEntry>();
  private readonly closing = new Set<Promise<void>>();
  private readonly sweeping: Loop;

  constructor(
    private readonly connect: buildConnector.connector,
    private readonly options: PoolOptions,
  ) {
    this.sweeping = new Loop(() => this.sweep(), { everyMs: Math.max(50, options.idleMs / 4) }).start();
  }

  /** Number of origins with an open pool. */
  get size(): number {
    return this.entries.size;
  }

  /**
   * Returns the pool of an origin and opens it if there is none. The caller keeps `inFlight` up to
   * date.
   */
  forOrigin(origin: string): OriginPool {
    const now = performance.now();
    let entry = this.entries.get(origin);
    if (entry) {
      this.entries.delete(origin);
      if (now - entry.openedAt > this.options.maxAgeMs) {
        this.retire(entry);
        entry = undefined;
      }
    }
    entry ??= { dispatcher: this.openPool(origin), inFlight: 0, openedAt: now, lastUsedAt: now };
    entry.lastUsedAt = now;
    this.entries.set(origin, entry);
    if (this.entries.size > this.options.maxOrigins) this.closeLeastRecent(entry);
    return entry;
  }

  /** Closes every pool after its requests. */
  async close(): Promise<void> {
    await this.sweeping.stop();
    for (const [origin, entry] of this.entries) this.drop(origin, entry);
    await Promise.all(this.closing);
  }

  private openPool(origin: string): Pool {
    return new Pool(origin, {
      connections: this.options.connectionsPerOrigin,
      connect: this.connect,
      pipelining: 1,
      // The deadline of each request covers headers and body. undici's own limits restart with
      // every chunk.
      headersTimeout: 0,
      bodyTimeout: 0,
      factory: (url, options) =>
        new Connection(url, { ...(options as Client.Options), connect: this.connect }),
    });
  }

  private sweep(): void {
    const oldest = performance.now() - this.options.idleMs;
    for (const [origin, entry] of this.entries) {
      if (entry.lastUsedAt > oldest) break;
      if (entry.inFlight === 0) this.drop(origin, entry);
    }
  }

  private closeLeastRecent(newest: PoolEntry): void {
    for (const [origin, entry] of this.entries) {
      if (entry.inFlight > 0 || entry === newest) continue;
      this.drop(origin, entry);
      return;
    }
  }

  private drop(origin: string, entry: PoolEntry): void {
    this.entries.delete(origin);
    this.retire(entry);
  }

  private retire(entry: PoolEntry): void {
    // Without requests there may still be connections being opened, which nothing waits for.
    const ended = entry.inFlight === 0 ? entry.dispatcher.destroy() : entry.dispatcher.close();
    const closed = ended.finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }
}
