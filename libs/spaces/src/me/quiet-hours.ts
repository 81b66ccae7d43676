import { DateTime, IANAZone } from 'luxon';

/** A daily span of local time without pushes: `[start, end)`, times as `HH:MM`. */
export interface QuietHours {
  start: string;
  /** Before `start`: the span ends on the next day. Equal to it: the span is empty. */
  end: string;
  /** IANA name. */
  timeZone: string;
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Returns whether a text is a time of day as `HH:MM`, 00:00 to 23:59. */
export function isTimeOfDay(text: string): boolean {
  return TIME_OF_DAY.test(text);
}

/** Returns whether this system knows the IANA time zone. */
export function isTimeZone(name: string): boolean {
  // Newer runtimes also accept offsets such as +03:00. They are not names, and Postgres reads them
  // with the opposite sign.
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name);
}

/**
 * Returns whether `instant` is within the quiet hours, by local time in their zone. A span of eight
 * hours thus lasts seven or nine when the clocks change.
 */
export function isQuietAt(quietHours: QuietHours | null, instant: Date): boolean {
  if (quietHours === null) return false;
  const start = minutesOf(quietHours.start);
  const end = minutesOf(quietHours.end);
  const now = localMinutes(quietHours.timeZone, instant);
  return start <= end ? start <= now && now < end : start <= now || now < end;
}

function minutesOf(timeOfDay: string): number {
  const [hours, minutes] = timeOfDay.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** luxon caches the formatters of zones, which are expensive to create. */
function localMinutes(timeZone: string, instant: Date): number {
  const { hour, minute } = DateTime.fromJSDate(instant, { zone: timeZone });
  return hour * 60 + minute;
}
