const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[T ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9})\d*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Reads an RFC 3339 time to the microsecond, which is what Postgres keeps; finer digits are cut. A `+` of the offset that
 * arrived as a space, because the client did not encode it, is understood.
 *
 * @returns a text that Postgres reads as the same moment, or undefined when it is no such time or no such day
 */
export function parseMoment(text: string): string | undefined {
  const match = RFC_3339.exec(text.replace(/ (\d\d:\d\d)$/, '+$1'));
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match;
  // Date would let the 30th of February pass as the 2nd of March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (Number(year) < 1 || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 6).padEnd(6, '0')}${zone?.toUpperCase()}`;
}
