import type { Client } from '../../client/client.js';
import type { Engine } from '../engine/engine.js';

/** One way in which a bot learns of what happens. */
export interface Form {
  /** Begins. @returns when the bot can be reached, or reaches out. @throws when it can't */
  start(): Promise<void>;
  /** Takes in nothing new; what has come may still be acknowledged. */
  close(): Promise<void>;
  /** Ends, after the last acknowledgement. */
  end(): Promise<void>;
}

export type Log = (text: string, error?: unknown) => void;

/** What every form works with. */
export interface FormParts {
  client: Client;
  engine: Engine;
  log: Log;
  /**
   * The form can't go on, and trying again will not help: the token is revoked, the mode is
   * another.
   */
  fail: (error: unknown) => void;
}
