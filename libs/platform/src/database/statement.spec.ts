import { nullable } from './columns.js';
import { toQuery } from './db.js';
import type { Queryable } from './db.js';
import { orderedValues, statement, unprepared } from './statement.js';
import type { ValuesOf } from './statement.js';

const PARAMS = { spaceId: 'uuid', id: 'uuid' } as const;

const textOf = (sql: string): string => statement('things.find', { params: PARAMS, columns: {} }, sql).text;

describe('named parameters', () => {
  test('become numbers in the order of their declaration, however often they occur', () => {
    expect(textOf('SELECT FROM things WHERE id = :id AND space_id=:spaceId AND (:id) <> :spaceId')).toBe(
      'SELECT FROM things WHERE id = $2 AND space_id=$1 AND ($2) <> $1',
    );
  });

  test('leave no space around the text, so that logs show it from its first word', () => {
    expect(textOf('\n  SELECT :spaceId\n    , :id\n')).toBe('SELECT $1\n    , $2');
  });

  test.each([
    ['casts of columns', ':id::uuid, now()::text, 5::int', '$2::uuid, now()::text, 5::int'],
    ['a cast to an array', ':id::uuid[]', '$2::uuid[]'],
    ['strings', `':id', 'it''s :id', :id`, `':id', 'it''s :id', $2`],
    ['escape strings', String.raw`E'\':id', e'\\', :id`, String.raw`E'\':id', e'\\', $2`],
    ['a string that ends in a backslash', String.raw`'\', :id, ':id'`, String.raw`'\', $2, ':id'`],
    ['names in quotes', `1 AS ":id", :id`, `1 AS ":id", $2`],
    ['line comments', `1, -- it's :id\n :id`, `1, -- it's :id\n $2`],
    ['block comments', `/* it's :id\n :id */ :id`, `/* it's :id\n :id */ $2`],
    ['dollar quotes', `$$ :id $1 $$, $a$ :id $$ $a$, :id`, `$$ :id $1 $$, $a$ :id $$ $a$, $2`],
    [
      'array slices',
      `a[1:id], a[id:id], (a)[f(1):id], b[a[1]:id], :id`,
      `a[1:id], a[id:id], (a)[f(1):id], b[a[1]:id], $2`,
    ],
    ['an array of parameters', `ARRAY[:id, :id], a[:id]`, `ARRAY[$2, $2], a[$2]`],
    ['named arguments', 'f(id := :id)', 'f(id := $2)'],
  ])('are not confused with %s', (_, sql, text) => {
    expect(textOf(`${sql}, :spaceId`)).toBe(`${text}, $1`);
  });

  test('have to be declared and used', () => {
    expect(() => textOf('SELECT :spaceId, :id, :ID')).toThrow('things.find: parameter ID is not declared');
    expect(() => textOf('SELECT :spaceId, :id, :toString')).toThrow('parameter toString is not declared');
    expect(() => textOf(`SELECT ':id', :spaceId`)).toThrow('things.find: parameter id is not used');
    expect(() => textOf('SELECT :spaceId, :id, $1')).toThrow('$1 is used, but the parameters have names');
  });
});

describe('arrays are hidden from the planner', () => {
  test('in statements with named parameters, with and without a cast', () => {
    const params = { ids: 'uuid[]', spaceId: nullable('uuid'), names: nullable('text[]') } as const;
    const { text, preparedText } = statement(
      'things.find',
      { params, columns: {} },
      `SELECT ':ids' WHERE id = ANY (:ids) AND space_id = :spaceId AND EXISTS (SELECT unnest(:names::text[]))`,
    );
    expect(text).toBe(
      `SELECT ':ids' WHERE id = ANY ($1) AND space_id = $2 AND EXISTS (SELECT unnest($3::text[]))`,
    );
    expect(preparedText).toBe(
      `SELECT ':ids' WHERE id = ANY ((SELECT $1::uuid[])::uuid[]) AND space_id = $2 AND EXISTS (SELECT unnest((SELECT $3::text[])::text[]::text[]))`,
    );
  });

  test('in statements with positions, which cast them', () => {
    const { preparedText } = statement('things.find', `SELECT $1::int, '$2::x[]', $2::int8[], ARRAY[$3]`, {});
    expect(preparedText).toBe(`SELECT $1::int, '$2::x[]', (SELECT $2::int8[])::int8[]::int8[], ARRAY[$3]`);
  });

  test('but not in unprepared statements, which are planned for their elements', () => {
    const find = statement('things.find', 'SELECT $1::int8[]', {});
    expect(toQuery(find, [[1]]).text).toBe('SELECT (SELECT $1::int8[])::int8[]::int8[]');
    expect(toQuery(unprepared(find), [[1]])).toEqual({ name: '', text: 'SELECT $1::int8[]', values: [[1]] });
  });
});

const INSERT = statement(
  'things.insert',
  { params: { ...PARAMS, at: nullable('timestamptz'), facts: 'json', counts: 'int8[]' }, columns: {} },
  'INSERT INTO things VALUES (:spaceId, :id, :at, :facts, :counts)',
);

test('values are passed in the order of the parameters', () => {
  const values: ValuesOf<typeof INSERT> = {
    counts: [1, null, '3'],
    facts: '{}',
    id: 'b',
    at: null,
    spaceId: 'a',
  };
  expect(orderedValues(INSERT, values)).toEqual(['a', 'b', null, '{}', [1, null, '3']]);
  expect(() => orderedValues(INSERT, { ...values, at: undefined })).toThrow(
    'things.insert: parameter at has no value',
  );
  expect(orderedValues(statement('things.find', 'SELECT $1, $2', {}), ['a', undefined])).toEqual([
    'a',
    undefined,
  ]);
});

test('values are type-checked', () => {
  const calls = (q: Queryable): unknown[] => [
    // @ts-expect-error a value is missing
    q.query(INSERT, { spaceId: 'a', id: 'b', at: null, facts: '{}' }),
    // @ts-expect-error a value is of another type
    q.query(INSERT, { spaceId: 'a', id: 'b', at: 5, facts: '{}', counts: [] }),
    // @ts-expect-error a value is null
    q.query(INSERT, { spaceId: null, id: 'b', at: null, facts: '{}', counts: [] }),
    // @ts-expect-error values by position
    q.query(INSERT, ['a', 'b', null, '{}', []]),
    // @ts-expect-error no values
    q.query(INSERT),
  ];
  expect(calls).toBeInstanceOf(Function);
});

test('four and more parameters need names', () => {
  expect(() => statement('things.find', 'SELECT $1, $4', {})).toThrow(
    'things.find: four and more parameters have names',
  );
  expect(() => statement('things.find', 'SELECT $12::int', {})).toThrow();
  expect(statement('things.find', 'SELECT $1, $2, $3', {}).params).toBeUndefined();
});

test('names that Postgres would cut off are rejected', () => {
  expect(() => statement(`things.find_${'x'.repeat(52)}`, 'SELECT 1', {})).toThrow(
    'the name is longer than 63 characters',
  );
  expect(statement(`things.find_${'x'.repeat(51)}`, 'SELECT 1', {}).name).toHaveLength(63);
});
