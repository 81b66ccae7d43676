/**
 * Returns SQL that formats a `timestamptz` as RFC 3339 in UTC with nine fractional digits (Postgres
 * keeps microseconds).
 */
export function rfc3339(expression: string): string {
  return `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '000Z'`;
}
