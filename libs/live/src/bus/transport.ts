/** What a transport tells the bus. */
export interface TransportEvents {
  /** Lines arrived, in the order in which their sender sent them. */
  received(lines: string[]): void;
  /** Whether `send` can be called. */
  sendable(up: boolean): void;
  /** Whether lines of others arrive. Coming up again means that some may have been missed. */
  listening(up: boolean): void;
  /** Lines were lost although the connection is up. */
  missed(): void;
  /** Whether anybody here wants messages of the channel. */
  wants(channel: string): boolean;
  /** The topics that are listened to besides that of everybody. */
  topics(): Iterable<string>;
  /** A connection was lost or could not be made. */
  failed(error: Error): void;
}

/** Carries lines between processes, and keeps its connections alive. */
export interface Transport {
  /** Begins to connect, and to connect again whenever a connection is lost. */
  start(events: TransportEvents): void;
  /**
   * Sends lines to every process that listens to their topics, this one included. Rejects when they
   * may not have arrived.
   */
  send(lines: string[]): Promise<void>;
  /**
   * Listens to one more topic. Resolves when its lines arrive; without a connection at once. Never
   * rejects.
   */
  listen(topic: string): Promise<void>;
  /** Listens to a topic no longer. Returns at once. */
  leave(topic: string): void;
  close(): Promise<void>;
}
