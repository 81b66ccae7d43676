import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { RowOf } from '@tieline/platform/database';
import { DumpReader, FORMAT } from './dump-format.js';
import type { DumpEnd, DumpHead, DumpTable } from './dump-format.js';
import { rowsOf, SESSION } from './export-database.js';
import { FOREIGN_KEYS, MIGRATIONS, PARTITIONS, TABLES } from './schema.statements.js';
import { TransferRefused } from './transfer-refused.js';

type Table = RowOf<typeof TABLES>;

/** So long for processes to let go of the tables. */
const LOCK_MS = 10_000;

/**
 * Fills a migrated database that has no space yet with an export, all or nothing: one transaction, in which nobody else sees the tables.
 *
 * @param keys what secrets begin with that can be opened here
 * @returns the number of rows
 * @throws TransferRefused when export and database do not fit
 */
export async function importDatabase(
  databaseUrl: string,
  keys: readonly string[],
  dump: AsyncIterable<Buffer>,
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'tieline-import' });
  await client.connect();
  try {
    await client.query(SESSION);
    await client.query('BEGIN');
    const rows = await read(client, keys, new DumpReader(dump[Symbol.asyncIterator]()));
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return rows;
  } finally {
    await client.end();
  }
}

async function read(client: pg.Client, keys: readonly string[], dump: DumpReader): Promise<number> {
  const head = (await dump.line().catch(() => undefined)) as Partial<DumpHead> | undefined;
  if (head?.format !== FORMAT) throw new TransferRefused('this is no export of Tieline');
  await requireFit(client, head as DumpHead, keys);
  const tables = await rowsOf(client, TABLES);
  await empty(client, tables);
  await makePartitions(client, head as DumpHead);
  const foreignKeys = await rowsOf(client, FOREIGN_KEYS);
  // Put back at the end, they are checked for all rows: no order of the tables is needed.
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`);
  await switchTriggers(client, tables, 'DISABLE');
  const rows = await fill(client, tables, dump);
  await switchTriggers(client, tables, 'ENABLE');
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${pg.escapeIdentifier(name)} ${definition}`);
  return rows;
}

async function requireFit(client: pg.Client, head: DumpHead, keys: readonly string[]): Promise<void> {
  if (!keys.includes(head.key))
    throw new TransferRefused(
      'the export was made under another SECRET_KEY: set that one, or name it in SECRET_KEYS_OLD, or nobody can open the secrets',
    );
  const [present] = await rowsOf(client, MIGRATIONS);
  if (JSON.stringify(present?.names) !== JSON.stringify(head.migrations))
    throw new TransferRefused(
      'the export was made by another version of Tieline: import it with the version that made it, then upgrade',
    );
}

/** What migrations put in goes; a space of somebody does not. */
async function empty(client: pg.Client, tables: Table[]): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
  await client.query(`LOCK TABLE ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
  for (const { name, ofSpaces } of tables) {
    if (!ofSpaces && name !== 'spaces') continue;
    const { rowCount } = await client.query(`SELECT FROM ${pg.escapeIdentifier(name)} LIMIT 1`);
    if (rowCount)
      throw new TransferRefused(
        `the database is in use, its table ${name} has rows: import into an empty one`,
      );
  }
  await client.query(`TRUNCATE ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')} CASCADE`);
}

async function makePartitions(client: pg.Client, { partitions }: DumpHead): Promise<void> {
  const present = new Set((await rowsOf(client, PARTITIONS)).map(({ name }) => name));
  for (const { name, parent, bound, storage } of partitions) {
    if (present.has(name)) continue;
    const [own, of] = [pg.escapeIdentifier(name), pg.escapeIdentifier(parent)];
    await client.query(
      `CREATE TABLE ${own} PARTITION OF ${of} ${bound}${storage === null ? '' : ` WITH (${storage})`}`,
    );
  }
}

async function switchTriggers(client: pg.Client, tables: Table[], how: 'DISABLE' | 'ENABLE'): Promise<void> {
  for (const { name } of tables)
    await client.query(`ALTER TABLE ${pg.escapeIdentifier(name)} ${how} TRIGGER USER`);
}

async function fill(client: pg.Client, tables: Table[], dump: DumpReader): Promise<number> {
  const counts: number[] = [];
  for (;;) {
    const next = (await dump.line()) as DumpTable | DumpEnd | undefined;
    if (next === undefined) throw new TransferRefused('the file is cut off');
    if ('rows' in next) {
      if (counts.length !== tables.length || JSON.stringify(counts) !== JSON.stringify(next.rows))
        throw new TransferRefused('the file does not have all the rows that it names');
      for (const { name, value } of next.sequences)
        await client.query('SELECT setval($1, $2)', [pg.escapeIdentifier(name), value]);
      return counts.reduce((sum, count) => sum + count, 0);
    }
    counts.push(await copy(client, next, dump));
  }
}

async function copy(client: pg.Client, { table, columns }: DumpTable, dump: DumpReader): Promise<number> {
  const list = columns.map(pg.escapeIdentifier).join(', ');
  const target = client.query(copyFrom(`COPY ${pg.escapeIdentifier(table)} (${list}) FROM STDIN`));
  await pipeline(Readable.from(dump.rows()), target);
  return target.rowCount;
}
