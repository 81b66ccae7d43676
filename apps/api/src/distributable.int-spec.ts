import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';

/*
 * All rows of a space can be on one node of a database that is distributed by space, as with Citus.
 * Such a server accepts a unique index or a foreign key only if that column is part of it:
 * docs/scaling.md.
 */

/** Tables without a space: copied to every node, or separate on each node. */
const EVERYWHERE = {
  access_changes: 'tells processes to look again: each part its own',
  bus_messages: 'live events that are too long for a notification, for seconds: each part its own',
  client_presence_processes: 'which apis are alive: those of a part',
  delivery_workers: 'who may hold leases: the workers of a part',
  incoming_signatures: 'what was accepted in the last five minutes, by webhook: on the part of the webhook',
  oauth_records: 'codes and tokens until they expire: looked up without knowing the space',
  outbox_relay: 'who plans: the relay of a part',
  outbox_relay_slots: 'unused since 0.2; earlier versions read it',
  poll_clock: 'the clock of poll records: each part its own',
  poll_clocks: 'the ids of earlier versions, in which relays could share the outbox',
  rate_counters: 'counters of the second: each part its own',
  schema_migrations: 'what was applied: the same everywhere',
  search_clock: 'how far messages are in the search index: each part its own',
  vapid_keys: 'one pair of keys for all pushes: copied',
};

const BY_TOKEN =
  'a hash of 256 random bits: nobody has it twice. Who calls is looked up without knowing the space';
const OF_A_PART = 'numbers that a part gives for itself, to rows that it drops within seconds';
const RANDOM_ID = 'a random id, unique by itself; the queue is claimed over all spaces of a part';

/**
 * Unique indexes without the space on distributed tables, and why uniqueness per node is enough.
 */
const GLOBAL_KEYS = {
  app_authorizations_grant_key: BY_TOKEN,
  apps_client_id_key: 'a random id, unique by itself',
  bots_token_hash_key: BY_TOKEN,
  delivery_queue_pkey: RANDOM_ID,
  delivery_targets_pkey: RANDOM_ID,
  execution_tasks_capability: BY_TOKEN,
  incoming_webhooks_token_hash_key: BY_TOKEN,
  invites_token_hash_key: BY_TOKEN,
  outbox_pkey: OF_A_PART,
  outbox_rejected_pkey: 'the number that the event had in the outbox',
  search_buckets_pkey: 'numbers that a part gives for itself; rebuilt with the index of the part',
  sessions_pkey: 'a random id, unique by itself',
  sessions_token_hash_key: BY_TOKEN,
  users_token_hash_key: BY_TOKEN,
};

interface TableKeys {
  name: string;
  /** The column to distribute the table by. */
  key: string | null;
  uniques: { name: string; columns: string[] }[];
  references: { name: string; to: string; columns: string[]; of: string[] }[];
}

const names = (relation: string, numbers: string): string =>
  `(SELECT array_agg(a.attname::text ORDER BY k.n) FROM unnest(${numbers}) WITH ORDINALITY AS k(attnum, n)
     JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.attnum)`;

// Partitions follow their table.
const KEYS = `
  SELECT t.relname AS name,
    CASE WHEN t.relname = 'spaces' THEN 'id' ELSE (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'space_id') END AS key,
    coalesce((SELECT json_agg(json_build_object('name', i.indexrelid::regclass::text, 'columns', ${names('t.oid', 'i.indkey::int2[]')}))
      FROM pg_index i WHERE i.indrelid = t.oid AND i.indisunique), '[]') AS uniques,
    coalesce((SELECT json_agg(json_build_object('name', f.conname, 'to', f.confrelid::regclass::text,
        'columns', ${names('f.conrelid', 'f.conkey')}, 'of', ${names('f.confrelid', 'f.confkey')}))
      FROM pg_constraint f WHERE f.conrelid = t.oid AND f.contype = 'f' AND f.conparentid = 0), '[]') AS references
  FROM pg_class t WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition ORDER BY t.relname`;

let database: TestDatabase;
let db: Db;
let tables: TableKeys[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  tables = await readRows<TableKeys>(db, KEYS);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/** Tables that are distributed by space. */
const divided = (): TableKeys[] => tables.filter(({ name }) => !(name in EVERYWHERE));

test('a table has its space, or is known to have none', () => {
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter(({ key }) => key === null).map(({ name }) => name)).toEqual(
    Object.keys(EVERYWHERE).sort(),
  );
});

test('unique indexes contain the space, or are known to be globally unique', () => {
  const over = divided().flatMap(({ key, uniques }) =>
    uniques.filter(({ columns }) => !columns.includes(key ?? '')).map(({ name }) => name),
  );
  expect(over.sort()).toEqual(Object.keys(GLOBAL_KEYS).sort());
});

test('a foreign key refers to a row of the same space', () => {
  const keyOf = new Map(tables.map(({ name, key }) => [name, key]));
  const across = tables.flatMap(({ name: table, key, references }) =>
    references
      .filter(({ to, columns, of }) => {
        if (to in EVERYWHERE) return false;
        // A table present on every node must not depend on one that is not.
        if (table in EVERYWHERE || key === null) return true;
        return of[columns.indexOf(key)] !== keyOf.get(to);
      })
      .map(({ name, to, columns, of }) => `${table}.${name}: ${columns.join()} of ${to} ${of.join()}`),
  );
  expect(across).toEqual([]);
});
