import { DateTime } from 'luxon';

/** The due time of a reminder, or why it is invalid. `rest` is the text after the time. */
export type ReadMoment = { at: Date; rest: string } | { problem: 'unreadable' | 'past' | 'far' };

/** Maximum number of years in the future. */
export const MAX_YEARS = 5;

const UNIT = 'm(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?';
const SPAN = new RegExp(`^in[ ]+((?:\\d{1,7}[ ]?(?:${UNIT})(?:[ ]?(?=\\d)|(?=\\s|$)))+)(?=\\s|$)\\s*`, 'iu');
const PART = /(\d+)[ ]?([a-z])/giu;
const DAY_AND_TIME =
  /^(?:(tomorrow)(?:[ ]+at)?|at(?:[ ]+(\d{4})-(\d\d)-(\d\d))?)[ ]+([01]?\d|2[0-3]):([0-5]\d)(?=\s|$)\s*/iu;
const UNITS = { m: 'minutes', h: 'hours', d: 'days', w: 'weeks' } as const;

/**
 * Parses the time at the beginning of a text: `in 10m`, `in 2h`, `in 3d`, `in 2w`, `in 1h30m` (also
 * `in 10 minutes` and similar), `tomorrow 09:00`, `tomorrow at 09:00`, `at 2026-12-01 09:00`, and
 * `at 15:00` for the next 15:00. Days are calendar days: `in 3d` is the same time of day three days
 * later, even if the clocks change in between.
 * @param zone IANA name
 */
export function readMoment(text: string, zone: string, now: Date): ReadMoment {
  const span = SPAN.exec(text);
  if (span) return checkMoment(afterSpan(span, zone, now), text.slice(span[0].length), now);
  const named = DAY_AND_TIME.exec(text);
  if (named) return checkMoment(onDay(named, zone, now), text.slice(named[0].length), now);
  return { problem: 'unreadable' };
}

function afterSpan([, parts = '']: RegExpExecArray, zone: string, now: Date): DateTime {
  let moment = DateTime.fromJSDate(now, { zone });
  for (const [, count, unit = ''] of parts.matchAll(PART))
    moment = moment.plus({ [UNITS[unit.toLowerCase() as keyof typeof UNITS]]: Number(count) });
  return moment;
}

function onDay(
  [, tomorrow, year, month, day, hour, minute]: RegExpExecArray,
  zone: string,
  now: Date,
): DateTime {
  const today = DateTime.fromJSDate(now, { zone });
  const next = today.plus({ days: 1 });
  const at = (date: { year: number; month: number; day: number }): DateTime =>
    DateTime.fromObject({ ...date, hour: Number(hour), minute: Number(minute) }, { zone });
  const on = ({ year, month, day }: DateTime): DateTime => at({ year, month, day });
  if (tomorrow === undefined && year === undefined && firstOf(on(today), now) > today)
    return firstOf(on(today), now);
  return firstOf(
    year === undefined ? on(next) : at({ year: Number(year), month: Number(month), day: Number(day) }),
    now,
  );
}

function firstOf(time: DateTime, now: Date): DateTime {
  // A time that occurs twice because clocks go back means the first occurrence, unless it has
  // passed. A time that is skipped because clocks go forward is later by the skipped amount.
  return time.isValid
    ? (time.getPossibleOffsets().find((possible) => possible.toMillis() > now.getTime()) ?? time)
    : time;
}

function checkMoment(moment: DateTime, rest: string, now: Date): ReadMoment {
  if (!moment.isValid) return { problem: 'unreadable' };
  const at = moment.toJSDate();
  if (at.getTime() <= now.getTime()) return { problem: 'past' };
  if (moment > DateTime.fromJSDate(now).plus({ years: MAX_YEARS })) return { problem: 'far' };
  return { at, rest };
}

/** Formats a time for people: `2026-12-01 09:00 (Europe/Berlin)`. */
export function showMoment(at: Date, zone: string): string {
  return `${DateTime.fromJSDate(at, { zone }).toFormat('yyyy-MM-dd HH:mm')} (${zone})`;
}
