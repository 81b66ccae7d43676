import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { RowOf } from '@tieline/platform/database';
import { DumpReader } from './dump-format.js';
import type { DumpEnd, DumpHead, DumpTable, TransferKey } from './dump-format.js';
import { rowsOf, SESSION } from './export-database.js';
import type { Progress } from './export-database.js';
import { createPartition } from './partitions.js';
import { FOREIGN_KEYS, MIGRATIONS, PARTITIONS, SET_SEQUENCE, TABLES } from './schema.statements.js';
import { unseal } from './seal.js';
import { TransferRefused } from './transfer-refused.js';

type Table = RowOf<typeof TABLES>;

/** Maximum wait for processes to release the tables. */
const LOCK_MS = 10_000;

/**
 * Fills a migrated database without spaces with an export, all or nothing, in one transaction that
 * locks all tables. The seal of the file is checked before the first statement, and nothing in the
 * file becomes SQL.
 *
 * @param keys of SECRET_KEY and SECRET_KEYS_OLD.
 * @param open starts to read the file; called twice.
 * @returns the number of rows.
 * @throws TransferRefused if export and database do not match, or the file was not written by
 * `exportDatabase` under one of the keys.
 */
export async function importDatabase(
  databaseUrl: string,
  keys: readonly TransferKey[],
  open: () => AsyncIterable<Buffer>,
  progress: Progress = () => undefined,
): Promise<number> {
  for await (const chunk of unseal(open(), keys)) progress(chunk.length, 'checking the file');
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'tieline-import' });
  await client.connect();
  try {
    await client.query(SESSION);
    await client.query('BEGIN');
    const rows = await read(client, new DumpReader(unseal(open(), keys)), progress);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return rows;
  } finally {
    await client.end();
  }
}

async function read(client: pg.Client, dump: DumpReader, progress: Progress): Promise<number> {
  const head = (await dump.line()) as DumpHead;
  await requireSameVersion(client, head);
  const tables = await rowsOf(client, TABLES);
  await empty(client, tables);
  await createPartitions(client, head);
  const foreignKeys = await rowsOf(client, FOREIGN_KEYS);
  // They are checked for all rows when they are restored at the end, so that the order of the
  // tables doesn't matter.
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`);
  await switchTriggers(client, tables, 'DISABLE');
  const rows = await fill(client, tables, dump, progress);
  await switchTriggers(client, tables, 'ENABLE');
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${pg.escapeIdentifier(name)} ${definition}`);
  return rows;
}

async function requireSameVersion(client: pg.Client, head: DumpHead): Promise<void> {
  const [present] = await rowsOf(client, MIGRATIONS);
  if (JSON.stringify(present?.names) !== JSON.stringify(head.migrations))
    throw new TransferRefused(
      'the export was made by another version of Tieline: import it with the version that made it, then upgrade',
    );
}

/** Removes the rows that migrations inserted. @throws TransferRefused when there is a space */
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

async function createPartitions(client: pg.Client, { partitions }: DumpHead): Promise<void> {
  const present = await rowsOf(client, PARTITIONS);
  const names = new Set(present.map(({ name }) => name));
  const parents = new Set(present.map(({ parent }) => parent));
  for (const partition of partitions) {
    const create = createPartition(partition, parents);
    if (!names.has(partition.name)) await client.query(create);
  }
}

async function switchTriggers(client: pg.Client, tables: Table[], how: 'DISABLE' | 'ENABLE'): Promise<void> {
  for (const { name } of tables)
    await client.query(`ALTER TABLE ${pg.escapeIdentifier(name)} ${how} TRIGGER USER`);
}

async function fill(
  client: pg.Client,
  tables: Table[],
  dump: DumpReader,
  progress: Progress,
): Promise<number> {
  const counts: number[] = [];
  let total = 0;
  for (;;) {
    const next = (await dump.line()) as DumpTable | DumpEnd | undefined;
    if (next === undefined) throw new TransferRefused('the file is cut off');
    if ('rows' in next) {
      if (counts.length !== tables.length || JSON.stringify(counts) !== JSON.stringify(next.rows))
        throw new TransferRefused('the file does not have all the rows that it names');
      for (const { name, value } of next.sequences) await setSequence(client, name, value);
      // The seal follows: this checks that the file is still the one that was checked first.
      if ((await dump.line()) !== undefined) throw new TransferRefused('the file goes on after its end');
      return total;
    }
    const rows = await copy(client, tables, next, dump, progress);
    counts.push(rows);
    total += rows;
  }
}

async function setSequence(client: pg.Client, name: string, value: string): Promise<void> {
  const { rowCount } = await client.query(SET_SEQUENCE.text, [name, value]);
  if (rowCount !== 1) throw new TransferRefused('the file names a sequence that this version does not have');
}

async function copy(
  client: pg.Client,
  tables: Table[],
  { table, columns }: DumpTable,
  dump: DumpReader,
  progress: Progress,
): Promise<number> {
  const known = tables.find(({ name }) => name === table);
  if (!known || !columns.every((column) => known.columns.includes(column)))
    throw new TransferRefused('the file names a table or column that this version does not have');
  const list = columns.map(pg.escapeIdentifier).join(', ');
  const target = client.query(copyFrom(`COPY ${pg.escapeIdentifier(table)} (${list}) FROM STDIN`));
  await pipeline(Readable.from(counted(dump.rows(), (bytes) => progress(bytes, `table ${table}`))), target);
  return target.rowCount;
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}
