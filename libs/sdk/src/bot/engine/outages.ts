/**
 * Statuses of a server that is unavailable or overloaded. Not 500, which may be caused by this
 * request alone.
 */
const OUTAGES = new Set([408, 425, 429, 502, 503, 504]);
const NETWORK = /^(E[A-Z]{3,}|UND_ERR_\w+|network_error|timeout)$/;

/**
 * Whether an error means that a server could not be reached, so that it is unrelated to the handled
 * activity. Recognizes errors of the client, of `fetch` and of `node:net`.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { status, code, name, cause } = error as Error & { status?: unknown; code?: unknown };
  if (typeof status === 'number' && status !== 0) return OUTAGES.has(status);
  if (name === 'TimeoutError') return true;
  if (typeof code === 'string' && NETWORK.test(code)) return true;
  return name === 'TypeError' && error.message === 'fetch failed' ? true : isOutage(cause);
}

/**
 * Returns the delay before the next attempt in milliseconds: doubles from 0.5 to 30 seconds, with
 * 20% jitter.
 */
export function pauseAfter(failures: number, retryAfterMs = 0): number {
  const pause = Math.min(500 * 2 ** Math.min(failures, 10), 30_000);
  return Math.max(retryAfterMs, pause * (0.8 + 0.4 * Math.random()));
}

/** Resolves after a delay, or early when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
