import pg from 'pg';
import type { AnyStatement, Column, Columns, ColumnType, Params } from '@tieline/platform/database';
import { describeStatement } from './describe-statement.js';
import type { DescribedColumn } from './describe-statement.js';

type FoundStatement = Omit<AnyStatement, 'columns'> & { columns?: Columns };

/**
 * Prepares every exported statement without running it, and compares the result columns and the
 * types of named parameters reported by Postgres with the declared ones. Names of columns and
 * parameters must be in camelCase.
 *
 * @param databaseUrl a migrated database
 * @param modules `import * as … from './<noun>.statements.js'`
 * @returns one sentence per problem
 */
export async function statementProblems(databaseUrl: string, modules: readonly object[]): Promise<string[]> {
  const perModule = modules.map((module) => Object.values(module).flatMap(statementsIn));
  const empty = perModule.filter((found) => found.length === 0);
  const statements = perModule.flat();
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'tieline-tests' });
  await client.connect();
  try {
    const problems: string[] = [];
    for (const statement of statements) problems.push(...(await problemsOf(client, statement)));
    return [
      ...(modules.length === 0 ? ['no module is given'] : []),
      ...empty.map(() => 'a module exports no statement'),
      ...sharedNames(statements),
      ...problems,
    ];
  } finally {
    await client.end();
  }
}

/** Returns the statements of an export, which can also be a list or an object of statements. */
function statementsIn(value: unknown): FoundStatement[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isStatement(value)) return [value];
  return Object.values(value).filter(isStatement);
}

function isStatement(value: unknown): value is FoundStatement {
  const { name, text } = (value ?? {}) as Partial<FoundStatement>;
  return typeof name === 'string' && typeof text === 'string';
}

function sharedNames(statements: FoundStatement[]): string[] {
  const names = statements.map(({ name }) => name);
  const shared = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...shared].map((name) => `${name}: two statements have this name`);
}

const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/;

async function problemsOf(client: pg.Client, found: FoundStatement): Promise<string[]> {
  const { name, columns, params = {} } = found;
  if (columns === undefined) return [`${name}: declares no columns`];
  const problems = await differencesTo(client, { ...found, columns }).catch((error: Error) => [
    error.message,
  ]);
  const names = [...Object.keys(columns), ...Object.keys(params)];
  const misspelled = names.filter((key) => !CAMEL_CASE.test(key)).map((key) => `${key} is not in camelCase`);
  return [...misspelled, ...problems].map((problem) => `${name}: ${problem}`);
}

async function differencesTo(
  client: pg.Client,
  { text, preparedText, columns, params = {} }: FoundStatement & { columns: Columns },
): Promise<string[]> {
  const described = await describeStatement(client, text);
  await describeStatement(client, preparedText);
  return [
    ...paramDifferences(params, described.params),
    ...seenArrays(preparedText, described.params),
    ...differences(columns, described.columns),
  ];
}

function paramDifferences(declared: Params, types: string[]): string[] {
  return Object.entries(declared).flatMap(([name, param], index) =>
    isOfType(param, types[index]!)
      ? []
      : [`takes ${name} as ${types[index]}, declared is ${declaredType(param)}`],
  );
}

/** Arrays whose elements the planner would see; see `withHiddenArrays`. */
function seenArrays(preparedText: string, types: string[]): string[] {
  return types.flatMap((type, index) =>
    type.endsWith('[]') && !preparedText.includes(`(SELECT $${index + 1}::`)
      ? [`$${index + 1} is an array without a cast`]
      : [],
  );
}

function differences(declared: Columns, returned: DescribedColumn[]): string[] {
  const missing = Object.keys(declared).filter((name) => !returned.some((column) => column.name === name));
  return [
    ...missing.map((name) => `does not return ${name}`),
    ...returned.flatMap(({ name, type }) => difference(name, declared[name], type)),
  ];
}

function difference(
  name: string,
  column: ColumnType | Column<unknown> | undefined,
  returned: string,
): string[] {
  if (column === undefined) return [`returns ${name} (${returned}), which is not declared`];
  return isOfType(column, returned)
    ? []
    : [`returns ${name} as ${returned}, declared is ${declaredType(column)}`];
}

function isOfType(declared: ColumnType | Column<unknown>, type: string): boolean {
  return declaredType(declared) === type.replace('jsonb', 'json');
}

function declaredType(declared: ColumnType | Column<unknown>): string {
  return typeof declared === 'string' ? declared : declared.type;
}
