import { printable } from '../client/printable.js';
import type { CursorStore } from '../client/reading/cursor-ledger.js';
import type { Secrets } from './forms/secrets.js';
import type { Happening } from './happening.js';

/** How a bot learns of what happens. `callback`: clicks and commands alone, `push`: events, too. */
export type Via = 'poll' | 'socket' | 'push' | 'callback';

export interface BotSettings {
  /** Default: TIELINE_TOKEN. */
  token?: string;
  /** Where Tieline is. Default: TIELINE_URL, else http://127.0.0.1:3000. */
  url?: string;
  /**
   * Signing secrets of pushes, of clicks and of commands. Default: TIELINE_SECRETS, a list
   * separated by commas. Only where Tieline calls the bot.
   */
  secrets?: Secrets;
  /**
   * Where a polling bot keeps its place, or the path of a file. Default: TIELINE_CURSOR_FILE, else
   * `.tieline-cursor-<bot>` here.
   */
  cursor?: CursorStore | string;
  /** Handlers that run at once: of events, and as many of what people wait for. Default: 16. */
  concurrency?: number;
  /**
   * What is handled one after another. Default: `conversation`; a function gives the same text for
   * what is in order, null for what is in none.
   */
  order?: 'conversation' | 'none' | ((happening: Happening) => string | null);
  /**
   * How often a handler may throw before its event is dropped. Outages of Tieline don't count.
   * Default: 3.
   */
  tries?: number;
  /** Handled happenings that are remembered, in case they come again. Default: 10,000. */
  remember?: number;
  /** Takes a line of log. Default: standard error. */
  log?: (text: string, error?: unknown) => void;
}

export interface StartOptions {
  /** Default: TIELINE_VIA, else `poll`. */
  via?: Via;
  /** Where callbacks and pushes come in. Default: TIELINE_PORT, else 4000; 0: any free one. */
  port?: number;
  /** The address to listen on. Default: TIELINE_HOST, else 127.0.0.1: this machine alone. */
  host?: string;
  /**
   * Sets the bot's `event_delivery_mode`, and registers its commands where no callback address is
   * needed. Default: true.
   */
  prepare?: boolean;
  /** Stops on SIGINT and SIGTERM. Default: true. */
  signals?: boolean;
}

export interface StopOptions {
  /** How long what runs may take to end, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
}

/** A setting of the environment, where there is one. */
export function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}

const VIAS = ['poll', 'socket', 'push', 'callback'] as const;

/** @throws TypeError for a word that is none of the four */
export function viaOf(given: string = environment('TIELINE_VIA') ?? 'poll'): Via {
  const via = VIAS.find((one) => one === given);
  if (!via) throw new TypeError(`via is ${given}: say one of ${VIAS.join(', ')}`);
  return via;
}

/** One line, and the error below it where there is more to say than its message. */
export function logLine(text: string, error?: unknown): void {
  const message =
    error instanceof Error ? `: ${error.message}` : error === undefined ? '' : `: ${String(error)}`;
  globalThis.console.error(`${new Date().toISOString()} ${printable(`${text}${message}`)}`);
}
