/** A value that spreadsheets would interpret as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Formats rows as CSV (RFC 4180). Starts with a byte order mark, so that spreadsheets detect UTF-8.
 * Escapes values that look like formulas.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
