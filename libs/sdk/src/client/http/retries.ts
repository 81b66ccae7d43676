/** Maximum `Retry-After` to wait for. A longer one fails immediately. */
export const MAX_PAUSE_MS = 60_000;

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 20_000;

/** Statuses after which a retry may succeed. */
const RETRYABLE = new Set([429, 502, 503, 504]);

/**
 * Whether to retry after a status. 429 rejects before anything is done, so every request may be
 * retried. After the others, the first attempt may have had an effect.
 * @param repeatable whether a retry of this request is safe
 */
export function isWorthRetrying(status: number, repeatable: boolean): boolean {
  return RETRYABLE.has(status) && (repeatable || status === 429);
}

/**
 * Returns `Retry-After` in milliseconds. An HTTP date is taken relative to the response's `Date`,
 * so that a wrong local clock does not matter. Undefined when absent or invalid.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (Number.isNaN(sent) ? now : sent));
}

/**
 * Returns the delay before the next attempt in milliseconds. With `Retry-After`, waits that long
 * plus up to a quarter, so that clients rejected together do not return together. Without it, uses
 * exponential backoff with jitter.
 * @param failures number of failed attempts, from 1
 */
export function pauseMs(failures: number, requestedMs: number | undefined, random: () => number): number {
  if (requestedMs !== undefined) return requestedMs + random() * Math.min(requestedMs / 4, 5000);
  const interval = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
  return interval * (0.5 + random() / 2);
}
