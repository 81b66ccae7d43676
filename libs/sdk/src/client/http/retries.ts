/** When a request is tried again, and after how long. Pure. */

/**
 * The longest pause that a server's `Retry-After` is obeyed for; what asks for more fails at once.
 */
export const LONGEST_PAUSE_MS = 60_000;

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 20_000;

/** Statuses after which the same request may succeed, as far as it may be repeated at all. */
const PASSING = new Set([429, 502, 503, 504]);

/**
 * Whether an answer is worth another try. 429 refuses before anything is done, so every request may
 * be repeated after it; after the others the first try may have had its effect.
 * @param repeatable whether a second try of this request does no harm
 */
export function mayPass(status: number, repeatable: boolean): boolean {
  return PASSING.has(status) && (repeatable || status === 429);
}

/**
 * `Retry-After` in milliseconds: seconds or an HTTP date, which is taken relative to the answer's
 * own `Date`, so a wrong clock on this side does not matter. Undefined when it is absent or
 * unreadable.
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
 * The pause before the next try in milliseconds. With a `Retry-After` at least that, and up to a
 * quarter more, so that those who were refused together do not come back together; without one a
 * random part of an interval that doubles.
 * @param failures how many tries have failed, from 1
 */
export function pauseMs(failures: number, asked: number | undefined, random: () => number): number {
  if (asked !== undefined) return asked + random() * Math.min(asked / 4, 5000);
  const interval = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
  return interval * (0.5 + random() / 2);
}
