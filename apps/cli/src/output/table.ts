/** A column of a table: its heading, and what stands in it. */
export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => unknown;
}

const WIDEST = 60;

/**
 * Rows under headings, as wide as needed. Cells are one line each; a cell that is too long ends
 * with an ellipsis.
 */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[]): string[] {
  const lines = [
    columns.map(({ title }) => title.toUpperCase()),
    ...rows.map((row) => columns.map(({ of }) => cell(of(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => width(line[index]!))));
  return lines.map((line) =>
    line
      .map((text, index) => text + ' '.repeat(widths[index]! - width(text)))
      .join('  ')
      .trimEnd(),
  );
}

/** One thing, a line for each of its fields. */
export function fields(entry: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(entry).filter((name) => entry[name] !== undefined);
  const longest = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(longest)}  ${value(entry[name])}`.trimEnd());
}

function cell(content: unknown): string {
  const text = value(content);
  return [...text].length > WIDEST ? `${[...text].slice(0, WIDEST - 1).join('')}…` : text;
}

function value(content: unknown): string {
  if (content === undefined || content === null || content === '') return '-';
  if (Array.isArray(content) && content.every((one) => typeof one !== 'object'))
    return content.length === 0 ? '-' : content.join(', ');
  const text = typeof content === 'object' ? JSON.stringify(content) : String(content);
  // What others wrote must not steer the terminal.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

const width = (text: string): number => [...text].length;
