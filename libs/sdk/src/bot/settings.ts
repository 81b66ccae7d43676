import { printable } from '../client/printable.js';
import type { CursorStore } from '../client/reading/cursor-ledger.js';
import type { Secrets } from './connectors/secrets.js';
import type { Activity } from './activity.js';

/** How a bot receives activities. `callback`: only clicks and commands. `push`: events too. */
export type Via = 'poll' | 'socket' | 'push' | 'callback';

export interface BotSettings {
  /** Default: TIELINE_TOKEN. */
  token?: string;
  /** Address of Tieline. Default: TIELINE_URL, else http://127.0.0.1:3000. */
  url?: string;
  /**
   * Signing secrets of pushes, clicks and commands. Needed only if Tieline calls the bot. Default:
   * TIELINE_SECRETS, separated by commas.
   */
  secrets?: Secrets;
  /**
   * Where a polling bot stores its cursor, or the path of a file. Default: TIELINE_CURSOR_FILE,
   * else `.tieline-cursor-<bot>` in the current folder.
   */
  cursor?: CursorStore | string;
  /**
   * Maximum number of concurrent handlers of events, and as many for activities that people wait
   * for. Default: 16.
   */
  concurrency?: number;
  /**
   * What is handled one at a time. Default: `conversation`. A function returns the same text for
   * activities to handle in order, and null for those without order.
   */
  order?: 'conversation' | 'none' | ((activity: Activity) => string | null);
  /** Failed attempts before an activity is dropped. Outages of Tieline do not count. Default: 3. */
  tries?: number;
  /**
   * Number of handled activities to remember, in case they are delivered again. Default: 10,000.
   */
  remember?: number;
  /** Writes a log line. Default: to standard error. */
  log?: (text: string, error?: unknown) => void;
}

export interface StartOptions {
  /** Default: TIELINE_VIA, else `poll`. */
  via?: Via;
  /** Port for callbacks and pushes. Default: TIELINE_PORT, else 4000. 0: any free port. */
  port?: number;
  /**
   * Address to listen on. Default: TIELINE_HOST, else 127.0.0.1, which accepts only local
   * connections.
   */
  host?: string;
  /**
   * Sets the bot's `event_delivery_mode` and registers commands that need no callback address.
   * Default: true.
   */
  prepare?: boolean;
  /** Stops on SIGINT and SIGTERM. Default: true. */
  signals?: boolean;
}

export interface StopOptions {
  /** How long running handlers may take to end, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
}

/** Returns an environment variable, or undefined if it is unset or empty. */
export function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}

const VIAS = ['poll', 'socket', 'push', 'callback'] as const;

/** @throws TypeError for an unknown value */
export function viaOf(given: string = environment('TIELINE_VIA') ?? 'poll'): Via {
  const via = VIAS.find((one) => one === given);
  if (!via) throw new TypeError(`unknown via "${given}": use one of ${VIAS.join(', ')}`);
  return via;
}

/** Logs a line with the message of an error. */
export function logLine(text: string, error?: unknown): void {
  const message =
    error instanceof Error ? `: ${error.message}` : error === undefined ? '' : `: ${String(error)}`;
  globalThis.console.error(`${new Date().toISOString()} ${printable(`${text}${message}`)}`);
}
