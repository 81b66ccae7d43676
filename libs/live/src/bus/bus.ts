/**
 * Receives a message of a channel and its size in characters. Errors it throws are swallowed and
 * counted, and other handlers still run.
 */
export type BusHandler = (payload: unknown, size: number) => void;

/**
 * Live fan-out: delivers messages within milliseconds to every process subscribed to the channel,
 * including the publisher. Nothing is stored and messages are dropped during an outage, so it may
 * only carry hints and live views that receivers can also read from the database.
 */
export abstract class Bus {
  /**
   * Sends `payload` (as JSON) to every subscriber of `channel`. Returns immediately and never
   * throws. Messages published while a batch is being sent form the next batch. During an outage or
   * overload they are dropped and counted. Never call it inside a transaction, because subscribers
   * might look before the commit.
   *
   * @param channel any text without tabs and line breaks, 1 to 200 characters. Messages of a
   * channel with a key (`live@<space id>`) only reach processes subscribed to that key or to one
   * that shares its topic
   */
  abstract publish(channel: string, payload: unknown): void;

  /**
   * Calls `handler` for each message on `channel`. For a channel with a key, messages arrive once
   * {@link ready} has resolved. Returns a function that removes the handler.
   */
  abstract subscribe(channel: string, handler: BusHandler): () => void;

  /**
   * Resolves once messages of a subscribed channel arrive. Also resolves without a connection,
   * because a reconnection counts everything as missed. Never rejects.
   */
  abstract ready(channel: string): Promise<void>;

  /**
   * Calls `handler` when messages may have been missed: after a reconnection, and after another
   * process dropped some. Subscribers then read the database again. Returns a function that removes
   * the handler.
   */
  abstract onReconnect(handler: () => void): () => void;

  /** Whether messages currently get through in both directions. */
  abstract readonly connected: boolean;

  /** Connects and resolves once messages get through. Retries while the server is unavailable. */
  abstract start(): Promise<void>;

  /** Sends pending messages, then disconnects. */
  abstract close(): Promise<void>;
}

/** Callbacks that report problems of a bus, for metrics and logs. */
export interface BusEvents {
  /** Called when messages are dropped. */
  dropped?(count: number, reason: 'outage' | 'overload' | 'unserialisable' | 'handler'): void;
  /** Called when a connection is lost or cannot be opened. `error.message` contains no secret. */
  failed?(error: Error): void;
}
