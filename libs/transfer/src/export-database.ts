import { once } from 'node:events';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { RowOf, Statement } from '@tieline/platform/database';
import { END_OF_ROWS, FORMAT } from './dump-format.js';
import type { DumpEnd, DumpHead, DumpTable } from './dump-format.js';
import { MIGRATIONS, PARTITIONS, SEQUENCES, TABLES } from './schema.statements.js';

/** Settings of the session: times and numbers are written the same way whatever the server's defaults are. */
export const SESSION = `SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601'; SET extra_float_digits = 1;
  SET client_encoding = 'UTF8'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

/**
 * Writes all tables of one moment to `out`, row by row: neither the database nor a table is ever held in memory. Processes may go on
 * working meanwhile; what they write comes too late.
 *
 * @param key what secrets under the current key begin with
 * @returns the number of rows
 */
export async function exportDatabase(databaseUrl: string, key: string, out: Writable): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'tieline-export' });
  await client.connect();
  try {
    await client.query(SESSION);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const rows = await write(client, key, out);
    await client.query('COMMIT');
    return rows;
  } finally {
    await client.end();
  }
}

async function write(client: pg.Client, key: string, out: Writable): Promise<number> {
  const [migrations] = await rowsOf(client, MIGRATIONS);
  const head: DumpHead = {
    format: FORMAT,
    key,
    migrations: migrations?.names ?? [],
    partitions: await rowsOf(client, PARTITIONS),
  };
  await line(out, head);
  const end: DumpEnd = { rows: [], sequences: [] };
  for (const { name, columns } of await rowsOf(client, TABLES)) {
    await line(out, { table: name, columns } satisfies DumpTable);
    end.rows.push(await copy(client, name, columns, out));
  }
  end.sequences = await rowsOf(client, SEQUENCES);
  await line(out, end);
  return end.rows.reduce((sum, count) => sum + count, 0);
}

async function copy(client: pg.Client, table: string, columns: string[], out: Writable): Promise<number> {
  const list = columns.map(pg.escapeIdentifier).join(', ');
  const source = client.query(copyTo(`COPY (SELECT ${list} FROM ${pg.escapeIdentifier(table)}) TO STDOUT`));
  for await (const chunk of source) await send(out, chunk as Buffer);
  await send(out, END_OF_ROWS);
  return source.rowCount;
}

async function line(out: Writable, value: object): Promise<void> {
  await send(out, `${JSON.stringify(value)}\n`);
}

async function send(out: Writable, part: string | Buffer): Promise<void> {
  if (out.errored) throw out.errored;
  if (!out.write(part)) await once(out, 'drain');
}

/** The rows of a statement on a connection of one's own. */
export async function rowsOf<S extends Statement>(client: pg.Client, { text }: S): Promise<RowOf<S>[]> {
  return (await client.query(text)).rows as RowOf<S>[];
}
