import { TielineError } from '../tieline-error.js';

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** What every long reading takes. */
export interface ReadingOptions {
  /** Ends the reading: the loop over it ends without an error. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Hears of each failure that is overcome by trying again: lost connections, refusals for a
   * moment.
   */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

/**
 * The pauses between connections: 1, 2, 4, … at most 30 seconds, each a fifth more or less, and 1
 * again after a success.
 */
export class Reconnects {
  private failures = 0;

  succeeded(): void {
    this.failures = 0;
  }

  /** How long to rest now, in milliseconds, and at least as long as the server asked. */
  next(error?: unknown, random: () => number = Math.random): number {
    const pause = Math.min(FIRST_MS * 2 ** this.failures++, LONGEST_MS) * (0.8 + random() * 0.4);
    const asked = error instanceof TielineError ? error.retryAfterMs : undefined;
    return Math.max(pause, asked ?? 0);
  }
}

/**
 * Whether trying again can't help: a revoked token, the wrong mode, a request that is no good one.
 */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof TielineError)) return false;
  if (error.status === 0) return error.code === 'redirect_refused' || error.code === 'no_web_socket';
  return error.status < 500 && error.status !== 408 && error.status !== 429;
}
