/*
 * `ts` of a message: seconds since 1970 with six decimals. It is `sent_at`, which has microseconds
 * and grows with every message of a conversation (libs/conversations), so it needs no column.
 */

const TS = /^(\d{1,10})\.(\d{6})$/;
const MOMENT = /^(\d{1,10})(?:\.(\d{1,6}))?$/;

/** Returns the `ts` of a message. @param sentAt RFC 3339, UTC, with at least six decimals */
export function tsOf(sentAt: string): string {
  const [seconds = '', fraction = ''] = sentAt.split('.');
  return `${Date.parse(`${seconds}Z`) / 1000}.${fraction.slice(0, 6)}`;
}

/** Returns the `ts` of something that happens now, such as `action_ts`. */
export const tsNow = (): string => tsOf(new Date().toISOString().replace('Z', '000000Z'));

/** Returns the time of a `ts` as RFC 3339, or undefined if it is not a `ts`. */
export function sentAtOf(ts: string): string | undefined {
  const [, seconds, micros] = TS.exec(ts) ?? [];
  return seconds === undefined || micros === undefined ? undefined : rfc3339(seconds, micros);
}

/** Returns the time that limits a list, such as `0`, `1700000000` or a `ts`, as RFC 3339. */
export function momentOf(text: string): string | undefined {
  const [, seconds, fraction = ''] = MOMENT.exec(text) ?? [];
  return seconds === undefined ? undefined : rfc3339(seconds, fraction.padEnd(6, '0'));
}

/** Returns a time in whole seconds since 1970. */
export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);

function rfc3339(seconds: string, micros: string): string {
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${micros}Z`;
}
