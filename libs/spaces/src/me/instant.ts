const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Parses an RFC 3339 time, to the millisecond; undefined if it is malformed or a day that does not
 * exist.
 */
export function parseInstant(text: string): Date | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // Date.parse reads the 30th of February as the 2nd of March.
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 1000 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const instant = new Date(text.toUpperCase());
  // An offset can lead into the year 10000, which RFC 3339 cannot express.
  return instant.getUTCFullYear() <= 9999 ? instant : undefined;
}
