import { createHmac } from 'node:crypto';
import type { Hmac } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { RowOf, Statement } from '@tieline/platform/database';
import { END_OF_ROWS, FORMAT } from './dump-format.js';
import type { DumpEnd, DumpHead, DumpTable, TransferKey } from './dump-format.js';
import { rangePartition } from './partitions.js';
import { MIGRATIONS, PARTITIONS, SEQUENCES, TABLES } from './schema.statements.js';
import { sealLine } from './seal.js';

/**
 * Settings of the session: times and numbers have the same format regardless of the server's
 * defaults.
 */
export const SESSION = `SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601'; SET extra_float_digits = 1;
  SET client_encoding = 'UTF8'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

/** Called for every chunk with its size. @param step such as `table messages` */
export type Progress = (bytes: number, step: string) => void;

/**
 * Writes one snapshot of all tables to `out`, row by row, without holding a table in memory.
 * Processes may continue to work; their later writes are not in the export.
 *
 * @param key of the current SECRET_KEY; it seals the file
 * @returns the number of rows
 */
export async function exportDatabase(
  databaseUrl: string,
  key: TransferKey,
  out: Writable,
  progress: Progress = () => undefined,
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'tieline-export' });
  await client.connect();
  try {
    await client.query(SESSION);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const rows = await write(client, key, new SealedOutput(out, key), progress);
    await client.query('COMMIT');
    return rows;
  } finally {
    await client.end();
  }
}

async function write(
  client: pg.Client,
  key: TransferKey,
  out: SealedOutput,
  progress: Progress,
): Promise<number> {
  const [migrations] = await rowsOf(client, MIGRATIONS);
  const head: DumpHead = {
    format: FORMAT,
    key: key.id,
    migrations: migrations?.names ?? [],
    partitions: (await rowsOf(client, PARTITIONS)).flatMap((row) => rangePartition(row) ?? []),
  };
  await out.line(head);
  const end: DumpEnd = { rows: [], sequences: [] };
  let total = 0;
  for (const { name, columns } of await rowsOf(client, TABLES)) {
    await out.line({ table: name, columns } satisfies DumpTable);
    const rows = await copy(client, name, columns, out, progress);
    end.rows.push(rows);
    total += rows;
  }
  end.sequences = await rowsOf(client, SEQUENCES);
  await out.line(end);
  await out.seal();
  return total;
}

async function copy(
  client: pg.Client,
  table: string,
  columns: string[],
  out: SealedOutput,
  progress: Progress,
): Promise<number> {
  const list = columns.map(pg.escapeIdentifier).join(', ');
  const source = client.query(copyTo(`COPY (SELECT ${list} FROM ${pg.escapeIdentifier(table)}) TO STDOUT`));
  for await (const chunk of source as AsyncIterable<Buffer>) {
    progress(chunk.length, `table ${table}`);
    await out.send(chunk);
  }
  await out.send(END_OF_ROWS);
  return source.rowCount;
}

/** Writes the parts of an export and computes its seal. */
class SealedOutput {
  private readonly mac: Hmac;

  constructor(
    private readonly out: Writable,
    key: TransferKey,
  ) {
    this.mac = createHmac('sha256', key.seal);
  }

  line(value: object): Promise<void> {
    return this.send(`${JSON.stringify(value)}\n`);
  }

  /** Waits until there is room for the next part. */
  async send(part: string | Buffer): Promise<void> {
    this.mac.update(part);
    await this.write(part);
  }

  seal(): Promise<void> {
    return this.write(sealLine(this.mac.digest()));
  }

  private async write(part: string | Buffer): Promise<void> {
    if (this.out.errored) throw this.out.errored;
    if (!this.out.write(part)) await once(this.out, 'drain');
  }
}

/** Runs a statement on a connection outside the pool. */
export async function rowsOf<S extends Statement>(client: pg.Client, { text }: S): Promise<RowOf<S>[]> {
  return (await client.query(text)).rows as RowOf<S>[];
}
