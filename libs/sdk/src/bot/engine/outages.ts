/**
 * Answers of a server that is away or asks for patience. 500 is none: it may be this one request
 * that breaks it.
 */
const OUTAGES = new Set([408, 425, 429, 502, 503, 504]);
const NETWORK = /^(E[A-Z]{3,}|UND_ERR_\w+|network_error|timeout)$/;

/**
 * Whether something failed because a server could not be reached, so that it says nothing about the
 * event it happened with. Understands errors of the client, of `fetch` and of `node:net`.
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
 * How long to wait before the next try, in milliseconds: doubling from half a second to half a
 * minute, a fifth more or less.
 */
export function pauseAfter(failures: number, retryAfterMs = 0): number {
  const pause = Math.min(500 * 2 ** Math.min(failures, 10), 30_000);
  return Math.max(retryAfterMs, pause * (0.8 + 0.4 * Math.random()));
}

/** Ends early, without an error, when the signal is given. */
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
