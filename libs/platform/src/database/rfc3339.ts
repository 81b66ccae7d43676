/**
 * SQL for a `timestamptz` in the contract's form: RFC 3339, UTC, nine fractional digits (Postgres
 * keeps microseconds).
 */
export function rfc3339(expression: string): string {
  return `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '000Z'`;
}
