import { createHmac, createSecretKey } from 'node:crypto';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { exportDatabase, importDatabase } from './index.js';
import type { TransferKey } from './index.js';
import { sealLine } from './seal.js';

const KEY: TransferKey = { id: '01aabbccddeeff0011', seal: createSecretKey(Buffer.alloc(32, 7)) };
const OTHER: TransferKey = { id: '01ff', seal: createSecretKey(Buffer.alloc(32, 8)) };
const SPACE = '019ad735-8400-7000-8000-000000000001';

/** Tables that no migration has, with values that are hard to serialize. */
const TABLES = `
  CREATE TABLE odd (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, after int REFERENCES odd, words text, bytes bytea, at timestamptz,
    far float8, doubled int GENERATED ALWAYS AS (id * 2) STORED);
  CREATE TABLE apart (odd int REFERENCES odd, kept text);
  CREATE TABLE days (day date NOT NULL, space_id uuid) PARTITION BY RANGE (day);
  CREATE TABLE days_default PARTITION OF days DEFAULT;
  CREATE UNLOGGED TABLE gone (n int);
  CREATE TABLE built (n int);
  COMMENT ON TABLE built IS 'derived';
  CREATE SEQUENCE tickets;
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a row was put in'; END $$;
  CREATE TRIGGER careful AFTER INSERT ON odd FOR EACH ROW EXECUTE FUNCTION refuse();`;
const ROWS = `
  ALTER TABLE odd DISABLE TRIGGER careful;
  INSERT INTO odd (words, bytes, at, far) SELECT repeat(E'\\\\.\\n\\t\\\\N ü🎉' || n, n * 20), decode('00ff0a5c2e0a', 'hex'), '2026-02-28 23:59:59.123456+05:30', 0.1::float8 + n
    FROM generate_series(1, 200) n;
  INSERT INTO odd (words, far) VALUES (E'\\\\.', 'NaN'), ('', '-Infinity'), (NULL, NULL);
  UPDATE odd SET after = 204 - id;
  INSERT INTO apart SELECT id, 'row ' || id FROM odd;
  CREATE TABLE days_20260101 PARTITION OF days FOR VALUES FROM ('2026-01-01') TO ('2026-01-02') WITH (fillfactor = 70);
  INSERT INTO days VALUES ('2026-01-01', '${SPACE}'), ('2026-05-05', NULL);
  INSERT INTO gone VALUES (1);
  INSERT INTO built VALUES (1);
  INSERT INTO poll_clock (last_id) SELECT 7 WHERE false;
  UPDATE poll_clock SET last_id = 41;
  SELECT nextval('tickets') FROM generate_series(1, 12);`;

const databases: TestDatabase[] = [];

async function database(sql = ''): Promise<TestDatabase> {
  const one = await createTestDatabase();
  databases.push(one);
  await query(one, TABLES + sql);
  return one;
}

async function query(one: TestDatabase, sql: string): Promise<Record<string, unknown>[]> {
  return onDatabase(one, async (client) => (await client.query(sql)).rows as Record<string, unknown>[]);
}

async function onDatabase<T>({ url }: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Every row of every table except unlogged and derived ones, with generated columns and partitions.
 */
function contents(one: TestDatabase): Promise<Record<string, unknown>> {
  return onDatabase(one, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND relpersistence = 'p' AND relname <> 'schema_migrations'
         AND obj_description(oid, 'pg_class') IS DISTINCT FROM 'derived' ORDER BY 1`,
    );
    const rows: Record<string, unknown> = {};
    for (const { name } of tables)
      rows[name] = (await client.query<{ t: string }>(`SELECT t::text FROM ${name} t ORDER BY 1`)).rows.map(
        ({ t }) => t,
      );
    return rows;
  });
}

async function exportToBuffer(one: TestDatabase): Promise<Buffer> {
  const out = new PassThrough();
  const all = out.toArray() as Promise<Buffer[]>;
  await exportDatabase(one.url, KEY, out);
  out.end();
  return Buffer.concat(await all);
}

/** Splits a dump into pieces that end anywhere. */
async function* pieces(dump: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < dump.length; at += size) yield await Promise.resolve(dump.subarray(at, at + size));
}

let source: TestDatabase;
let dump: Buffer;

beforeAll(async () => {
  source = await database(ROWS);
  dump = await exportToBuffer(source);
});
afterAll(() => Promise.all(databases.map((one) => one.drop())));

test.each([1 << 16, 997])(
  'an import read in pieces of %i bytes restores every row unchanged',
  async (size) => {
    const target = await database();
    await importDatabase(target.url, [OTHER, KEY], () => pieces(dump, size));
    expect(await contents(target)).toEqual(await contents(source));
    expect(await query(target, 'SELECT * FROM gone')).toEqual([]);
    expect(await query(target, 'SELECT * FROM built')).toEqual([]);
  },
);

test('partitions, sequences, foreign keys and triggers are unchanged', async () => {
  const target = await database();
  await importDatabase(target.url, [KEY], () => pieces(dump, 1 << 16));
  for (const sql of [
    `SELECT relname, reloptions, pg_get_expr(relpartbound, oid) AS bound FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1`,
    `SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS definition, convalidated FROM pg_constraint WHERE contype = 'f' ORDER BY 1, 2`,
    `SELECT sequencename, last_value FROM pg_sequences ORDER BY 1`,
  ])
    expect(await query(target, sql)).toEqual(await query(source, sql));
  expect(await query(target, `SELECT nextval('tickets') AS next`)).toEqual([{ next: 13 }]);
  await expect(query(target, 'INSERT INTO odd DEFAULT VALUES')).rejects.toThrow('a row was put in');
});

test('an export is one snapshot, despite concurrent writes', async () => {
  const busy = await database(ROWS);
  const out = new PassThrough({ highWaterMark: 1 });
  const exported = exportDatabase(busy.url, KEY, out);
  const parts: Buffer[] = [];
  for await (const part of out.iterator({ destroyOnReturn: false })) {
    parts.push(part as Buffer);
    break;
  }
  await query(
    busy,
    `DELETE FROM apart; ALTER TABLE odd DISABLE TRIGGER USER; INSERT INTO odd (words) VALUES ('too late')`,
  );
  const rest = out.toArray() as Promise<Buffer[]>;
  await exported;
  out.end();
  const target = await database();
  const whole = Buffer.concat([...parts, ...(await rest)]);
  await importDatabase(target.url, [KEY], () => pieces(whole, 1 << 16));
  expect(await contents(target)).toEqual(await contents(source));
});

test('while the reader is slow, the export waits instead of buffering rows', async () => {
  const large = await database(
    'CREATE TABLE large AS SELECT repeat(md5(n::text), 320) AS words FROM generate_series(1, 4000) n',
  );
  const out = new PassThrough();
  const exported = exportDatabase(large.url, KEY, out);
  for await (const part of out.iterator({ destroyOnReturn: false }))
    if ((part as Buffer).includes('"table":"large"')) break;
  const waiting = `SELECT FROM pg_stat_activity WHERE application_name = 'tieline-export' AND datname = current_database()
    AND wait_event = 'ClientWrite'`;
  await eventually(async () => expect(await query(large, waiting)).toHaveLength(1));
  expect(out.writableLength + out.readableLength).toBeLessThan(1_000_000);
  out.resume();
  expect(await exported).toBeGreaterThan(4000);
});

/** Changes the file and seals it again under a key, as an attacker with the key could. */
function reseal(change: (content: string) => string, { seal }: TransferKey = KEY): Buffer {
  const content = dump.toString('latin1', 0, dump.lastIndexOf('\n', -2) + 1);
  const changed = Buffer.from(change(content), 'latin1');
  return Buffer.concat([changed, Buffer.from(sealLine(createHmac('sha256', seal).update(changed).digest()))]);
}

const changePartition = (partition: object) => () =>
  reseal((content) => {
    const end = content.indexOf('\n');
    const head = JSON.parse(content.slice(0, end)) as { partitions: object[] };
    const low = {
      name: 'days_20260303',
      parent: 'days',
      low: '2026-03-03',
      high: '2026-03-04',
      fillfactor: null,
    };
    head.partitions.push({ ...low, ...partition });
    return JSON.stringify(head) + content.slice(end);
  });

describe('an import that does not match changes nothing', () => {
  const SPACE_ROW = `INSERT INTO days VALUES ('2026-02-02', '${SPACE}')`;

  test.each<[string, { sql?: string; keys?: TransferKey[]; file?: () => Buffer }, RegExp]>([
    ['a database in use', { sql: SPACE_ROW }, /in use, its table days has rows/],
    ['another SECRET_KEY', { keys: [OTHER] }, /another SECRET_KEY/],
    [
      'another version',
      { sql: `DELETE FROM schema_migrations WHERE lib = 'bots'` },
      /another version of Tieline/,
    ],
    [
      'a file of an earlier format',
      { file: () => Buffer.from(`{"format":"tieline-export-1","key":"${KEY.id}"}\n`) },
      /another version of Tieline/,
    ],
    ['no export', { file: () => Buffer.from('hello\n') }, /not an export of Tieline/],
    ['a first line without end', { file: () => Buffer.alloc(5_000_000, 'x') }, /not an export of Tieline/],
    ['an empty file', { file: () => Buffer.alloc(0) }, /not an export of Tieline/],
    [
      'a file that ends within a table',
      { file: () => dump.subarray(0, dump.length / 2) },
      /cut off or was changed/,
    ],
    [
      'a file without its last line',
      { file: () => dump.subarray(0, dump.lastIndexOf('\n', -2) + 1) },
      /cut off or was changed/,
    ],
    [
      'a file with an extra line',
      { file: () => Buffer.concat([dump, Buffer.from('{}\n')]) },
      /cut off or was changed/,
    ],
    [
      'a changed row',
      { file: () => Buffer.from(dump.toString('latin1').replace('row 203', 'row 999'), 'latin1') },
      /cut off or was changed/,
    ],
    [
      'a seal under another key',
      { file: () => reseal((content) => content, OTHER) },
      /cut off or was changed/,
    ],
    [
      'a file with a missing row',
      { file: () => reseal((content) => content.replace(/^204\trow 204\n|^203\trow 203\n/m, '')) },
      /not have all the rows/,
    ],
    [
      'SQL in the bound of a partition',
      { file: changePartition({ low: `2026-03-03') TO ('2026-03-04'); CREATE TABLE pwned (); --` }) },
      /a partition that this version does not have/,
    ],
    [
      'SQL as a storage parameter',
      { file: changePartition({ fillfactor: '70); CREATE TABLE pwned (); --' }) },
      /a partition/,
    ],
    [
      'a partition of another table',
      { file: changePartition({ parent: 'odd', name: 'odd_20260303' }) },
      /a partition/,
    ],
    ['a partition of another name', { file: changePartition({ name: 'days_20260303"; --' }) }, /a partition/],
    [
      'an unknown table',
      { file: () => reseal((content) => content.replace('"table":"odd"', '"table":"pg_class"')) },
      /a table or column/,
    ],
    [
      'an unknown column',
      { file: () => reseal((content) => content.replace('"words"', '"doubled"')) },
      /a table or column/,
    ],
    [
      'an unknown sequence',
      { file: () => reseal((content) => content.replace('"name":"tickets"', '"name":"pg_class"')) },
      /a sequence/,
    ],
  ])('%s', async (_name, { sql, keys = [KEY], file = () => dump }, refusal) => {
    const target = await database(sql);
    const before = await contents(target);
    await expect(importDatabase(target.url, keys, () => pieces(file(), 1 << 16))).rejects.toThrow(refusal);
    expect(await contents(target)).toEqual(before);
  });
});

test('a file that is replaced after the check changes nothing', async () => {
  const target = await database();
  const before = await contents(target);
  const other = reseal((content) => content.replace('row 203', 'row 999'), OTHER);
  const files = [dump, other];
  await expect(importDatabase(target.url, [KEY], () => pieces(files.shift()!, 1 << 16))).rejects.toThrow(
    /cut off or was changed/,
  );
  expect(await contents(target)).toEqual(before);
});

test('the first statement comes after the check of the seal', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
  const cut = dump.subarray(0, dump.length - 1);
  await expect(importDatabase(nowhere, [KEY], () => pieces(cut, 1 << 16))).rejects.toThrow(/cut off/);
});
