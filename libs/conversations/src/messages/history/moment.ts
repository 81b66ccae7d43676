const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[T ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9})\d*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

const FIRST = '0001-01-01T00:00:00.000000Z';
const LAST = '9999-12-31T23:59:59.999999Z';
const MINUTE_MS = 60_000;

/**
 * Parses an RFC 3339 time to the microsecond, the precision of Postgres; finer digits are cut off.
 * Accepts an offset whose `+` arrived as a space because the client did not encode it. Applies the
 * offset itself, because Postgres accepts fewer offsets.
 *
 * @returns the same moment as a text that Postgres reads, in UTC and within the years 1 to 9999.
 * Undefined if the text is not a valid time or day.
 */
export function parseMoment(text: string): string | undefined {
  const match = RFC_3339.exec(text.replace(/ (\d\d:\d\d)$/, '+$1'));
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const date = utc(Number(year), Number(month) - 1, Number(day));
  // Date would accept February 30 as March 2.
  if (Number(year) < 1 || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const moment = new Date(date.getTime() - offsetMinutes(zone) * MINUTE_MS);
  if (moment.getUTCFullYear() < 1) return FIRST;
  if (moment.getUTCFullYear() > 9999) return LAST;
  return `${moment.toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/**
 * Returns the start of a day. `Date.UTC` would treat years below 100 as years of the 20th century.
 */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

function offsetMinutes(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const [hours = '0', minutes = '0'] = zone.slice(1).split(':');
  return (zone.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
