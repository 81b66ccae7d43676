import type { RowOf } from '@tieline/platform/database';
import type { PARTITIONS, SEQUENCES } from './schema.statements.js';

/**
 * An export is text, gzipped: one line of JSON ({@link DumpHead}), then for each table one ({@link DumpTable}) and its rows in
 * PostgreSQL's COPY format, ended by a line `\.`, and at last one ({@link DumpEnd}).
 */
export interface DumpHead {
  format: typeof FORMAT;
  /** Which key the secrets are under: what each value begins with. */
  key: string;
  migrations: string[];
  partitions: RowOf<typeof PARTITIONS>[];
}

export interface DumpTable {
  table: string;
  columns: string[];
}

/** Its absence tells that the file was cut off. */
export interface DumpEnd {
  /** Of each table, in their order. */
  rows: number[];
  sequences: RowOf<typeof SEQUENCES>[];
}

export const FORMAT = 'tieline-export-1';
export const END_OF_ROWS = '\\.\n';

const NEWLINE = 0x0a;

/** Reads lines and sections of rows from a stream, no more at a time than a chunk and a line. */
export class DumpReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly chunks: AsyncIterator<Buffer>) {}

  /** The next line as JSON; undefined at the end. @throws Error when it is none */
  async line(): Promise<unknown> {
    while (!this.rest.includes(NEWLINE)) {
      if (!(await this.more())) return undefined;
    }
    const end = this.rest.indexOf(NEWLINE);
    const line = this.rest.toString('utf8', 0, end);
    this.rest = this.rest.subarray(end + 1);
    return JSON.parse(line) as unknown;
  }

  /** The rows up to the line that ends them, in whole lines. @throws Error when the stream ends before */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const lines = this.rest.subarray(0, this.rest.lastIndexOf(NEWLINE) + 1);
      const end = endOf(lines);
      if (end !== undefined) {
        if (end > 0) yield lines.subarray(0, end);
        this.rest = this.rest.subarray(end + END_OF_ROWS.length);
        return;
      }
      if (lines.length > 0) yield lines;
      this.rest = this.rest.subarray(lines.length);
      if (!(await this.more())) throw new Error('the file ends in the middle of a table');
    }
  }

  /** Reads on to the end of the line that has begun; false when the stream ends before. */
  private async more(): Promise<boolean> {
    const parts = [this.rest];
    for (;;) {
      const { done, value } = await this.chunks.next();
      if (done) return false;
      parts.push(value);
      if (!value.includes(NEWLINE)) continue;
      this.rest = Buffer.concat(parts);
      return true;
    }
  }
}

/** Where the line stands that ends the rows. */
function endOf(lines: Buffer): number | undefined {
  if (lines.toString('latin1', 0, END_OF_ROWS.length) === END_OF_ROWS) return 0;
  const before = lines.indexOf(`\n${END_OF_ROWS}`);
  return before < 0 ? undefined : before + 1;
}
