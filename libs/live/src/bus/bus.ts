/**
 * Receives what was published on a channel, and how many characters it had on its way; a thrown
 * error is swallowed and counted, other handlers still run.
 */
export type BusHandler = (payload: unknown, size: number) => void;

/**
 * Live fan-out: what one process publishes, every process that subscribed to the channel gets
 * within a few milliseconds, the publishing process included. Nothing is stored: during an outage
 * messages are dropped, so it may carry only hints and live views whose truth is in the database.
 */
export abstract class Bus {
  /**
   * Sends `payload` (as JSON) to every subscriber of `channel`. Returns at once and never throws;
   * what piles up while the previous batch is under way is sent together. During an outage, or when
   * too much piles up, it is dropped and counted. Never call it inside a transaction: subscribers
   * might look before the commit.
   *
   * @param channel any text without tabs and line ends, 1..200 characters. With a key (`live@<space
   * id>`) its messages come to those processes alone that have subscribers of that key or of one
   * that shares its topic
   */
  abstract publish(channel: string, payload: unknown): void;

  /**
   * Calls `handler` for each message on `channel` from now on; on one with a key, once {@link
   * ready} has resolved. Returns the function that ends it.
   */
  abstract subscribe(channel: string, handler: BusHandler): () => void;

  /**
   * Resolves once messages of a channel that has subscribers get here; also while there is no
   * connection, since everything counts as missed when it is back. Never rejects.
   */
  abstract ready(channel: string): Promise<void>;

  /**
   * Calls `handler` whenever messages may have been missed: after this process's connection came
   * back, and after another process had to drop some. Subscribers then read the truth again.
   * Returns the function that ends it.
   */
  abstract onReconnect(handler: () => void): () => void;

  /** Whether messages get through right now, in both directions. */
  abstract readonly connected: boolean;

  /** Connects and resolves once messages get through; retries for as long as the server is away. */
  abstract start(): Promise<void>;

  /** Sends what is left, then disconnects. */
  abstract close(): Promise<void>;
}

/** What happens inside a bus, for metrics and logs. */
export interface BusEvents {
  /** Messages that were dropped, and why. */
  dropped?(count: number, reason: 'outage' | 'overload' | 'unserialisable' | 'handler'): void;
  /** A connection was lost or could not be made; `error.message` carries no secret. */
  failed?(error: Error): void;
}
