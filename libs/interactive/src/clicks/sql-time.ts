/** SQL for a moment in the contract's form: RFC 3339, UTC, nine fractional digits (Postgres keeps microseconds). */
export const UTC_NANO = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '000Z'`;
