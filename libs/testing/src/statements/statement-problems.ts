import pg from 'pg';
import type { Column, Columns, ColumnType, Statement } from '@tieline/platform/database';
import { describeColumns } from './describe-columns.js';
import type { DescribedColumn } from './describe-columns.js';

type FoundStatement = Omit<Statement, 'columns'> & { columns?: Columns };

/**
 * Prepares every exported statement without running it, and compares the result columns reported by
 * Postgres with the declared ones.
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

async function problemsOf(client: pg.Client, { name, text, columns }: FoundStatement): Promise<string[]> {
  if (columns === undefined) return [`${name}: declares no columns`];
  const problems = await describeColumns(client, text).then(
    (returned) => differences(columns, returned),
    (error: Error) => [error.message],
  );
  return problems.map((problem) => `${name}: ${problem}`);
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
  const declared = typeof column === 'string' ? column : column.type;
  const same = declared === returned || (declared === 'json' && returned === 'jsonb');
  return same ? [] : [`returns ${name} as ${returned}, declared is ${declared}`];
}
