import { json, nullable, openDb, statement, text } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import { createTestDatabase } from '../servers/test-database.js';
import type { TestDatabase } from '../servers/test-database.js';
import { statementProblems } from './statement-problems.js';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: 2 });
  await db.query(
    'CREATE TABLE things (id uuid, n int8, state text, made timestamptz, facts jsonb, tags uuid[])',
  );
});

afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const ALL = statement('things_all', 'SELECT id, n, state, made, facts, tags FROM things WHERE n > $1', {
  id: 'uuid',
  n: 'int8',
  state: text<'on' | 'off'>(),
  made: nullable('timestamptz'),
  facts: json<{ a: number }>(),
  tags: 'uuid[]',
});
const ADD = statement('things_add', 'INSERT INTO things (n) VALUES ($1)', {});

test('a correct declaration is no problem, and nothing is run', async () => {
  expect(await statementProblems(database.url, [{ ALL, ADD }, { LIST: [ALL] }])).toEqual([
    'things_all: two statements have this name',
  ]);
  expect(await statementProblems(database.url, [{ ALL }, { BY_NAME: { ADD } }])).toEqual([]);
  expect(await db.query('SELECT 1 FROM things')).toEqual([]);
});

test.each([
  ['another type', { id: 'text' }, 'returns id as uuid, declared is text'],
  ['another element type', { id: 'uuid[]' }, 'returns id as uuid, declared is uuid[]'],
  ['an extra column', { id: 'uuid', n: 'int8' }, 'does not return n'],
  ['a missing column', {}, 'returns id (uuid), which is not declared'],
] as const)('%s is found', async (_, columns, problem) => {
  const WRONG = statement('wrong', 'SELECT id FROM things', columns);
  expect(await statementProblems(database.url, [{ WRONG }])).toEqual([`wrong: ${problem}`]);
});

test('named parameters of another type are found', async () => {
  const declared = { params: { n: 'int8', tags: 'uuid[]', facts: 'json', id: 'uuid' }, columns: {} } as const;
  const SET = 'UPDATE things SET n = :n, tags = :tags, facts = :facts WHERE id = :id';
  const RIGHT = statement('right', declared, SET);
  expect(await statementProblems(database.url, [{ RIGHT }])).toEqual([]);
  const WRONG = statement('wrong', { ...declared, params: { ...declared.params, n: 'text' } }, SET);
  expect(await statementProblems(database.url, [{ WRONG }])).toEqual([
    'wrong: takes n as int8, declared is text',
  ]);
});

test('an array that the planner would see, because it has no cast, is found', async () => {
  const BY_IDS = 'SELECT id FROM things WHERE id = ANY ($1';
  const WRONG = statement('wrong', `${BY_IDS})`, { id: 'uuid' });
  const RIGHT = statement('right', `${BY_IDS}::uuid[])`, { id: 'uuid' });
  expect(await statementProblems(database.url, [{ WRONG, RIGHT }])).toEqual([
    'wrong: $1 is an array without a cast',
  ]);
});

test('names in snake_case are found', async () => {
  const WRONG = statement(
    'wrong',
    { params: { least_n: 'int8' }, columns: { my_id: 'uuid' } },
    'SELECT id AS my_id FROM things WHERE n > :least_n',
  );
  expect(await statementProblems(database.url, [{ WRONG }])).toEqual([
    'wrong: my_id is not in camelCase',
    'wrong: least_n is not in camelCase',
  ]);
});

test('a statement that does not fit the schema is found, and later ones are still checked', async () => {
  const LOST = statement('lost', 'SELECT gone FROM things', { gone: 'text' });
  const WRONG = statement('wrong', 'SELECT n FROM things', { n: 'int4' });
  expect(await statementProblems(database.url, [{ LOST, WRONG }])).toEqual([
    'lost: column "gone" does not exist',
    'wrong: returns n as int8, declared is int4',
  ]);
});

test('a missing declaration, a duplicate name and an empty module are problems', async () => {
  const UNCHECKED = { name: 'unchecked', text: 'SELECT 1' };
  expect(await statementProblems(database.url, [{ UNCHECKED }])).toEqual(['unchecked: declares no columns']);
  expect(await statementProblems(database.url, [{ ADD, AGAIN: { ...ADD } }])).toEqual([
    'things_add: two statements have this name',
  ]);
  expect(await statementProblems(database.url, [{ ALL }, { limit: 5 }])).toEqual([
    'a module exports no statement',
  ]);
  expect(await statementProblems(database.url, [])).toEqual(['no module is given']);
});

test('rows have values of the declared types', async () => {
  await db.query(
    `INSERT INTO things VALUES ('0190d5e0-0000-7000-8000-000000000001', 5, 'on', now(), '{"a": 1}', '{0190d5e0-0000-7000-8000-000000000002}')`,
  );
  const rows: RowOf<typeof ALL>[] = await db.query(ALL, [1]);
  const state: 'on' | 'off' = rows[0]!.state;
  const made: Date | null = rows[0]!.made;
  expect({ ...rows[0]!, state, made }).toEqual({
    id: '0190d5e0-0000-7000-8000-000000000001',
    n: 5,
    state: 'on',
    made: expect.any(Date),
    facts: { a: 1 },
    tags: ['0190d5e0-0000-7000-8000-000000000002'],
  });
  const COUNTS = statement('things_counts', 'SELECT array_agg(n) AS counts FROM things', {
    counts: 'int8[]',
  });
  expect(await db.query(COUNTS)).toEqual([{ counts: [5] }]);
});
