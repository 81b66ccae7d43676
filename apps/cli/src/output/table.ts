/** A column of a table: its heading and how to format its cells. */
export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => unknown;
}

const WIDEST = 60;

/** Formats rows under headings. Cells are one line each, and long cells end with an ellipsis. */
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

/** Formats one resource with a line for each field. */
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
  // Control characters written by others must not reach the terminal.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

const width = (text: string): number => [...text].length;
