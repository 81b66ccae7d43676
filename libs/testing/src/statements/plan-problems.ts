import type pg from 'pg';
import { orderedValues } from '@tieline/platform/database';
import type { AnyStatement } from '@tieline/platform/database';

/** A hot statement with typical arguments. */
export interface PlannedStatement {
  statement: AnyStatement;
  /** An array, or an object for a statement with named parameters. */
  params: object;
  /** Whether the statement is never prepared, so that only a custom plan exists. */
  unprepared?: true;
  /**
   * Maximum number of rows that one plan node may read, and of its searches in an index; default
   * 1,000. More means that the cost grows with the tables.
   */
  mayRead?: number;
  /**
   * Maximum number of blocks that the whole statement may touch, in memory or on disk, including
   * called functions; unlimited by default.
   */
  mayTouch?: number;
}

const MAY_READ = 1000;
/** Blocks that an index scan may touch in all, and for each search and row. */
const MAY_TOUCH = 100;
const TOUCHED_BY_ONE = 20;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  /** In all loops; since PostgreSQL 18. */
  'Index Searches'?: number;
  Plans?: PlanNode[];
}

/** Number of runs after which the server compares a generic plan with the custom ones. */
const CUSTOM_RUNS = 5;

/**
 * Runs a statement with two plans and rolls it back: the custom one, and the generic one or the one
 * that the server chooses by itself after some runs. @returns a sentence for each plan node that
 * reads too many rows, including rows it discards
 */
export async function planProblems(
  client: pg.ClientBase,
  planned: PlannedStatement,
  prepared: 'generic' | 'auto' = 'generic',
): Promise<string[]> {
  const modes = planned.unprepared ? (['custom'] as const) : ([prepared, 'custom'] as const);
  const problems: string[] = [];
  for (const mode of modes)
    problems.push(
      ...(await rolledBack(client, async () => {
        await client.query(`SET LOCAL plan_cache_mode = ${mode === 'auto' ? mode : `force_${mode}_plan`}`);
        await client.query(`PREPARE planned AS ${textOf(planned)}`);
        for (let n = 0; mode === 'auto' && n < CUSTOM_RUNS; n++)
          await client.query(`EXPLAIN EXECUTE planned${args(planned)}`);
        return problemsOf(client, planned, 'planned', mode);
      })),
    );
  return problems;
}

/**
 * Runs a prepared statement until the server decides between a generic plan and custom ones.
 * @returns whether it keeps the generic plan. Otherwise it plans at every run, which takes longer
 * than most runs.
 */
export async function isPlannedOnce(client: pg.ClientBase, planned: PlannedStatement): Promise<boolean> {
  return rolledBack(client, async () => {
    await client.query(`PREPARE planned AS ${textOf(planned)}`);
    for (let n = 0; n <= CUSTOM_RUNS; n++) await client.query(`EXPLAIN EXECUTE planned${args(planned)}`);
    const { rows } = await client.query<{ kept: boolean }>(
      `SELECT generic_plans > 0 AS kept FROM pg_prepared_statements WHERE name = 'planned'`,
    );
    return rows[0]!.kept;
  });
}

function textOf({ statement, unprepared }: PlannedStatement): string {
  return unprepared ? statement.text : statement.preparedText;
}

/**
 * Creates the plan that {@link keptPlanProblems} runs. The client's sessions keep it while they are
 * open.
 */
export async function keepPlan(
  client: pg.ClientBase,
  planned: PlannedStatement,
  name: string,
): Promise<void> {
  await client.query('SET plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE ${name} AS ${textOf(planned)}`);
  await client.query(`EXPLAIN EXECUTE ${name}${args(planned)}`);
}

/** Like {@link planProblems} for an existing plan, kept while tables fill. */
export async function keptPlanProblems(
  client: pg.ClientBase,
  planned: PlannedStatement,
  name: string,
): Promise<string[]> {
  return rolledBack(client, () => problemsOf(client, planned, name, 'kept'));
}

async function problemsOf(
  client: pg.ClientBase,
  planned: PlannedStatement,
  name: string,
  mode: string,
): Promise<string[]> {
  const { mayRead = MAY_READ, mayTouch = Infinity } = planned;
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE ${name}${args(planned)}`,
  );
  const plan = rows[0]!['QUERY PLAN'][0].Plan;
  const touched = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const found = [
    ...nodesOverLimit(plan, mayRead),
    ...(touched > mayTouch ? [`it touches ${touched} blocks`] : []),
  ];
  return found.map((problem) => `${mode} plan: ${problem}`);
}

async function rolledBack<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE PREPARE planned').catch(() => undefined);
  }
}

function args({ statement, params }: PlannedStatement): string {
  const values = orderedValues(statement, params);
  return values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
}

function nodesOverLimit(node: PlanNode, mayRead: number): string[] {
  const read = rowsRead(node);
  const from = node['Index Name'] ?? node['Relation Name'];
  const name = `${node['Node Type']}${from === undefined ? '' : ` on ${from}`}`;
  const searches = node['Index Searches'] ?? 0;
  const own = [
    ...(read > mayRead ? [`${name} reads ${read} rows`] : []),
    ...(searches > mayRead ? [`${name} searches ${searches} times`] : []),
    ...(readsWholeIndex(node) ? [`${name} reads ${blocksOf(node)} blocks to find ${read} rows`] : []),
  ];
  return [...own, ...(node.Plans ?? []).flatMap((inner) => nodesOverLimit(inner, mayRead))];
}

/**
 * Whether an index does not lead to the rows, because the condition is on a later column. Entries
 * that are passed over are not in the number of rows.
 */
function readsWholeIndex(node: PlanNode): boolean {
  const { 'Index Name': index, 'Index Searches': searches } = node;
  if (index === undefined || searches === undefined) return false;
  return blocksOf(node) > MAY_TOUCH + TOUCHED_BY_ONE * (rowsRead(node) + searches);
}

/** Returns the blocks that the node touches, without those of its inner nodes. */
function blocksOf(node: PlanNode): number {
  const touched = (one: PlanNode): number => one['Shared Hit Blocks'] + one['Shared Read Blocks'];
  return (node.Plans ?? []).reduce((own, inner) => own - touched(inner), touched(node));
}

function rowsRead(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round((node['Actual Rows'] + removed) * node['Actual Loops']);
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return `'${plain(value).replaceAll("'", "''")}'`;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`;
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  return String(value);
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return `"${plain(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
