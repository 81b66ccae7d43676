/** Events a transport reports to the bus. */
export interface TransportEvents {
  /** Lines arrived, in the order of their sender. */
  received(lines: string[]): void;
  /** Whether `send` can be called. */
  sendable(up: boolean): void;
  /**
   * Whether lines of other processes arrive. Coming up again means that some may have been missed.
   */
  listening(up: boolean): void;
  /** Lines were lost although the connection is up. */
  missed(): void;
  /** Whether this process has subscribers of the channel. */
  wants(channel: string): boolean;
  /** The topics to listen to besides the shared one. */
  topics(): Iterable<string>;
  /** A connection was lost or could not be opened. */
  failed(error: Error): void;
}

/** Carries lines between processes and keeps its connections alive. */
export interface Transport {
  /** Connects, and reconnects whenever a connection is lost. */
  start(events: TransportEvents): void;
  /**
   * Sends lines to every process that listens to their topics, including this one. Rejects if they
   * may not have arrived.
   */
  send(lines: string[]): Promise<void>;
  /**
   * Listens to another topic. Resolves when its lines arrive, or immediately without a connection.
   * Never rejects.
   */
  listen(topic: string): Promise<void>;
  /** Stops listening to a topic. Returns immediately. */
  leave(topic: string): void;
  close(): Promise<void>;
}
