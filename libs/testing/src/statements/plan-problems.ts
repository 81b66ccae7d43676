import type pg from 'pg';
import type { Statement } from '@tieline/platform/database';

/** A hot statement with arguments that are typical of it. */
export interface PlannedStatement {
  statement: Statement;
  params: readonly unknown[];
  /** It is never prepared, so that it is planned for its values alone. */
  unprepared?: true;
  /** Rows that one node of its plan may look at; default 1,000. More means that its cost grows with the tables. */
  mayRead?: number;
}

const MAY_READ = 1000;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/**
 * Runs a statement under its generic and its custom plan and takes back what it did. @returns a sentence for each part of a plan
 * that looks at more rows than it may, whether it then keeps them or not
 */
export async function planProblems(client: pg.ClientBase, planned: PlannedStatement): Promise<string[]> {
  const modes = planned.unprepared ? ['custom'] : ['generic', 'custom'];
  const problems: string[] = [];
  for (const mode of modes) {
    const plan = await planOf(client, planned, mode);
    problems.push(...greedy(plan, planned.mayRead ?? MAY_READ).map((found) => `${mode} plan: ${found}`));
  }
  return problems;
}

async function planOf(
  client: pg.ClientBase,
  { statement, params }: PlannedStatement,
  mode: string,
): Promise<PlanNode> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL plan_cache_mode = force_${mode}_plan`);
    await client.query(`PREPARE planned AS ${statement.text}`);
    const given = params.length === 0 ? '' : `(${params.map(literal).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE planned${given}`,
    );
    return rows[0]!['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
  }
}

function greedy(node: PlanNode, mayRead: number): string[] {
  const read = rowsRead(node);
  const from = node['Index Name'] ?? node['Relation Name'];
  const own =
    read > mayRead
      ? [`${node['Node Type']}${from === undefined ? '' : ` on ${from}`} reads ${read} rows`]
      : [];
  return [...own, ...(node.Plans ?? []).flatMap((inner) => greedy(inner, mayRead))];
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
