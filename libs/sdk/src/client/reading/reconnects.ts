import { TielineError } from '../tieline-error.js';

const FIRST_MS = 1000;
const MAX_MS = 30_000;

/** Options of all streaming reads. */
export interface ReadingOptions {
  /** Ends the loop without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each failure that will be retried, such as lost connections. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

/**
 * Delays between connections: 1, 2, 4, … up to 30 seconds with 20% jitter, starting over after a
 * success.
 */
export class Reconnects {
  private failures = 0;

  succeeded(): void {
    this.failures = 0;
  }

  /** Returns the next delay in milliseconds, at least as long as the server asked. */
  next(error?: unknown, random: () => number = Math.random): number {
    const pause = Math.min(FIRST_MS * 2 ** this.failures++, MAX_MS) * (0.8 + random() * 0.4);
    const requestedMs = error instanceof TielineError ? error.retryAfterMs : undefined;
    return Math.max(pause, requestedMs ?? 0);
  }
}

/** Whether retrying does not help: a revoked token, the wrong mode, an invalid request. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof TielineError)) return false;
  if (error.status === 0) return error.code === 'redirect_refused' || error.code === 'no_web_socket';
  return error.status < 500 && error.status !== 408 && error.status !== 429;
}
