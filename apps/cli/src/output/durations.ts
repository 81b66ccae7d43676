import { EXIT } from './exit-codes.js';
import { Failure } from './failures.js';

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNITS;

/**
 * Converts `90s`, `15m`, `1h30m` or `2d` to milliseconds.
 *
 * @throws Failure for other texts
 */
export function milliseconds(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text)
    throw new Failure(`"${text}" is no duration`, EXIT.usage, 'write something like 90s, 15m, 1h30m or 2d');
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as Unit], 0);
}

/**
 * Converts an age (`2h`) or a time (`2026-11-23T09:00:00Z`).
 *
 * @returns RFC 3339 in UTC
 */
export function moment(text: string, now = Date.now()): string {
  if (/^\d{4}-\d\d-\d\d/.test(text)) {
    const at = Date.parse(text);
    if (Number.isNaN(at)) throw new Failure(`"${text}" is no time`, EXIT.usage);
    return new Date(at).toISOString();
  }
  return new Date(now - milliseconds(text)).toISOString();
}

/** Formats the time since a moment in its largest unit: `3 s`, `12 min`, `5 h`, `2 d`. */
export function age(since: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
