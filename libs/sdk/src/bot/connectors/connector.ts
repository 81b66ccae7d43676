import type { Client } from '../../client/client.js';
import type { Engine } from '../engine/engine.js';

/** A way of receiving activities. */
export interface Connector {
  /** Starts receiving. @returns when connected or listening. @throws when that fails */
  start(): Promise<void>;
  /** Accepts nothing new. Activities already received may still be acknowledged. */
  close(): Promise<void>;
  /** Ends after the last acknowledgement. */
  end(): Promise<void>;
}

export type Log = (text: string, error?: unknown) => void;

/** Dependencies of a connector. */
export interface ConnectorDependencies {
  client: Client;
  engine: Engine;
  log: Log;
  /**
   * Called when the connector cannot continue and retrying does not help: revoked token, wrong
   * mode.
   */
  fail: (error: unknown) => void;
}
