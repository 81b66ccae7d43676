/** The retry schedule, in milliseconds (docs/outgoing-webhooks.md#retries). */
export interface RetryPolicy {
  initialMs: number;
  maxMs: number;
}

const JITTER = 0.2;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const EXTENDED_DELAYS_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[1, 2, 4, 8, 16, 24].map((hours) => hours * HOUR_MS),
];

/** Maximum number of attempts with the profile `extended`. */
export const EXTENDED_ATTEMPTS = EXTENDED_DELAYS_MS.length + 1;

/**
 * Returns the delay after attempt number `attempt` (starting at 1) failed: min(initial ×
 * 2^(attempt−1), max), plus or minus 20 percent.
 * @param random a number in [0, 1)
 */
export function backoffMs(
  { initialMs, maxMs }: RetryPolicy,
  attempt: number,
  random: number = Math.random(),
): number {
  const base = Math.min(initialMs * 2 ** Math.min(attempt - 1, 60), maxMs);
  return jittered(base, random);
}

/**
 * Returns the delay with the profile `extended`: 5 s after the first attempt, 24 h before the last.
 */
export function extendedBackoffMs(attempt: number, random: number = Math.random()): number {
  return jittered(EXTENDED_DELAYS_MS[attempt - 1] ?? 24 * HOUR_MS, random);
}

function jittered(base: number, random: number): number {
  return Math.round(base * (1 - JITTER + 2 * JITTER * random));
}

const MIN_SECONDS = 1;
const MAX_SECONDS = 3600;

/**
 * Returns the delay that a 429 or 503 requests, in milliseconds: from the `Retry-After` header as
 * seconds or an HTTP date, else `retry_after` of a JSON body, else a number as the whole body.
 * Returns undefined if there is none or it is not within 1 to 3600 seconds. The regular backoff
 * then applies.
 */
export function retryAfterMs(
  status: number,
  header: string | undefined,
  body: string,
  now: Date,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = fromHeader(header, now) ?? fromBody(body);
  return seconds !== undefined && seconds >= MIN_SECONDS && seconds <= MAX_SECONDS
    ? Math.ceil(seconds * 1000)
    : undefined;
}

function fromHeader(header: string | undefined, now: Date): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  // HTTP dates start with the name of a day. Date.parse alone accepts too much.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : (at - now.getTime()) / 1000;
}

const NUMBER = /^\d+(\.\d+)?$/;

function fromBody(body: string): number | undefined {
  const text = body.trim();
  if (NUMBER.test(text)) return Number(text);
  try {
    const value = (JSON.parse(text) as { retry_after?: unknown } | null)?.retry_after;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
  } catch {
    return undefined;
  }
}
