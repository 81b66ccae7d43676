import type { KeyObject } from 'node:crypto';
import type { RowOf } from '@tieline/platform/database';
import type { SEQUENCES } from './schema.statements.js';
import { TransferRefused } from './transfer-refused.js';

/**
 * An export is text, gzipped: one line of JSON ({@link DumpHead}), then for each table one ({@link
 * DumpTable}) and its rows in PostgreSQL's COPY format, ended by a line `\.`, then one ({@link
 * DumpEnd}), and last the seal (`seal.ts`).
 */
export interface DumpHead {
  format: typeof FORMAT;
  /** The key that seals the file and its secrets: {@link TransferKey.id}. */
  key: string;
  migrations: string[];
  partitions: RangePartition[];
}

/** A partition that migrations don't create. Its bounds are values, not SQL. */
export interface RangePartition {
  name: string;
  parent: string;
  low: string;
  high: string;
  /** The storage parameter, in percent; null: the default. */
  fillfactor: number | null;
}

export interface DumpTable {
  table: string;
  columns: string[];
}

export interface DumpEnd {
  /** Number of rows by table, in the order of the tables. */
  rows: number[];
  sequences: RowOf<typeof SEQUENCES>[];
}

/** The key of an export, derived from a SECRET_KEY. */
export interface TransferKey {
  /** Prefix of secrets sealed under the same SECRET_KEY, in hexadecimal. */
  id: string;
  /** Key of the HMAC over the file. */
  seal: KeyObject;
}

export const FORMAT = 'tieline-export-2';
export const END_OF_ROWS = '\\.\n';
/** The longest line of JSON. A head lists some hundred partitions and migrations. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Reads lines and sections of rows from a stream, and holds at most a chunk and a line. */
export class DumpReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly chunks: AsyncIterator<Buffer>) {}

  /**
   * Returns the next line as JSON; undefined at the end. @throws TransferRefused when it is not
   * JSON or too long
   */
  async line(): Promise<unknown> {
    while (!this.rest.includes(NEWLINE)) {
      if (this.rest.length > MAX_LINE_BYTES)
        throw new TransferRefused('the file has a line that is too long');
      if (!(await this.more())) return undefined;
    }
    const end = this.rest.indexOf(NEWLINE);
    const line = this.rest.toString('utf8', 0, end);
    this.rest = this.rest.subarray(end + 1);
    try {
      return JSON.parse(line) as unknown;
    } catch {
      throw new TransferRefused('the file has a line that is not JSON');
    }
  }

  /**
   * Yields the rows up to their end line, in whole lines. @throws TransferRefused when the stream
   * ends before
   */
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
      do {
        if (!(await this.more())) throw new TransferRefused('the file ends in the middle of a table');
      } while (!this.rest.includes(NEWLINE));
    }
  }

  /** Appends the next chunk to the rest; false at the end of the stream. */
  private async more(): Promise<boolean> {
    const { done, value } = await this.chunks.next();
    if (done) return false;
    this.rest = Buffer.concat([this.rest, value]);
    return true;
  }
}

/** Returns the offset of the line that ends the rows. */
function endOf(lines: Buffer): number | undefined {
  if (lines.toString('latin1', 0, END_OF_ROWS.length) === END_OF_ROWS) return 0;
  const before = lines.indexOf(`\n${END_OF_ROWS}`);
  return before < 0 ? undefined : before + 1;
}
