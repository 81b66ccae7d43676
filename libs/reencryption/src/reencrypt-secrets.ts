import type { Queryable } from '@tieline/platform/database';
import { SecretBoxError } from '@tieline/signing';
import type { SecretBox, SecretColumn } from '@tieline/signing';
import { COLUMN_TYPES } from './secret-columns.statements.js';

/** Result for one column. */
export interface ReencryptionResult {
  readonly table: string;
  readonly secretColumn: string;
  /** Values that are now under the current key. */
  readonly reencrypted: number;
  /**
   * Values that no known key opens; they stay unchanged. Do not retire a key while this is above 0.
   */
  readonly unreadable: number;
}

interface Statements {
  readonly select: string;
  readonly update: string;
}

interface SealedRow {
  readonly key: Record<string, string>;
  readonly sealed: Buffer;
}

const BATCH_SIZE = 500;
const MAX_PASSES = 10;

/**
 * Encrypts every value of the given columns with the current key of `box`. Walks each table by
 * primary key in batches, one short statement per batch. Skips values under the current key, so an
 * interrupted run can simply be restarted. Safe while the product runs: a value is only replaced if
 * it is still the one that was read, and a table that changed is walked again. Start it when every
 * process has the new SECRET_KEY, because one that still seals with the old key undoes the work.
 */
export async function reencryptSecrets(
  client: Queryable,
  box: SecretBox,
  columns: readonly SecretColumn[],
): Promise<ReencryptionResult[]> {
  const results: ReencryptionResult[] = [];
  for (const column of columns) {
    const statements = await statementsFor(client, column);
    let reencrypted = 0;
    let unreadable = 0;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const outcome = await walkColumn(client, box, column, statements);
      reencrypted += outcome.replaced;
      unreadable = outcome.unreadable;
      if (outcome.changedMeanwhile === 0) break;
    }
    results.push({ table: column.table, secretColumn: column.secretColumn, reencrypted, unreadable });
  }
  return results;
}

async function walkColumn(client: Queryable, box: SecretBox, column: SecretColumn, statements: Statements) {
  const total = { replaced: 0, unreadable: 0, changedMeanwhile: 0 };
  let after: (string | null)[] = column.keyColumns.map(() => null);
  for (;;) {
    const rows = await client.query(statements.select, [box.currentHeader, ...after]);
    const batch = rows.map((row) => sealedRow(row, column));
    const outcome = await replaceBatch(client, box, column, statements.update, batch);
    total.replaced += outcome.replaced;
    total.unreadable += outcome.unreadable;
    total.changedMeanwhile += batch.length - outcome.replaced - outcome.unreadable;
    const last = batch.at(-1);
    if (!last || batch.length < BATCH_SIZE) return total;
    after = column.keyColumns.map((name) => last.key[name]!);
  }
}

async function replaceBatch(
  client: Queryable,
  box: SecretBox,
  column: SecretColumn,
  update: string,
  batch: SealedRow[],
) {
  const keys: string[][] = column.keyColumns.map(() => []);
  const before: Buffer[] = [];
  const after: Buffer[] = [];
  let unreadable = 0;
  for (const row of batch) {
    const resealed = reseal(box, row.sealed, column.aad(row.key));
    if (!resealed) {
      unreadable++;
      continue;
    }
    column.keyColumns.forEach((name, index) => keys[index]!.push(row.key[name]!));
    before.push(row.sealed);
    after.push(resealed);
  }
  if (before.length === 0) return { replaced: 0, unreadable };
  const replaced = await client.query(update, [before, after, ...keys]);
  return { replaced: replaced.length, unreadable };
}

function reseal(box: SecretBox, sealed: Buffer, purpose: string): Buffer | undefined {
  try {
    return box.seal(box.open(sealed, purpose), purpose);
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined;
    throw error;
  }
}

/** The tables are known only at run time, so no declaration describes the result. */
function sealedRow(answered: unknown, column: SecretColumn): SealedRow {
  const row = answered as Record<string, unknown>;
  const key = Object.fromEntries(column.keyColumns.map((name, index) => [name, String(row[`key_${index}`])]));
  return { key, sealed: row['sealed'] as Buffer };
}

/**
 * Keys are passed as text and cast to the type of their column, so that both statements use the
 * primary key's index.
 */
async function statementsFor(client: Queryable, column: SecretColumn): Promise<Statements> {
  const table = quoteName(column.table);
  const secret = quoteName(column.secretColumn);
  const names = column.keyColumns.map(quoteName);
  const types = await keyTypes(client, table, column);

  const keys = names.map((name, index) => `${name}::text AS key_${index}`).join(', ');
  const cursor = types.map((type, index) => `$${index + 2}::${type}`).join(', ');
  const select =
    `SELECT ${keys}, ${secret} AS sealed FROM ${table}` +
    ` WHERE ${secret} IS NOT NULL AND substring(${secret} FOR length($1::bytea)) <> $1::bytea` +
    ` AND ($2::text IS NULL OR (${names.join(', ')}) > (${cursor}))` +
    ` ORDER BY ${names.join(', ')} LIMIT ${BATCH_SIZE}`;

  const arrays = types.map((type, index) => `$${index + 3}::${type}[]`).join(', ');
  const aliases = names.map((_, index) => `key_${index}`).join(', ');
  const sameKey = names.map((name, index) => `t.${name} = v.key_${index}`).join(' AND ');
  const update =
    `UPDATE ${table} AS t SET ${secret} = v.after FROM unnest($1::bytea[], $2::bytea[], ${arrays}) AS v(before, after, ${aliases})` +
    ` WHERE ${sameKey} AND t.${secret} = v.before RETURNING 1`;
  return { select, update };
}

async function keyTypes(client: Queryable, table: string, column: SecretColumn): Promise<string[]> {
  const rows = await client.query(COLUMN_TYPES, [table]);
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  if (types.get(column.secretColumn) !== 'bytea')
    throw new Error(`${column.table}.${column.secretColumn} is no bytea column`);
  return column.keyColumns.map((name) => {
    const type = types.get(name);
    if (!type) throw new Error(`${column.table} has no column ${name}`);
    return type;
  });
}

function quoteName(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}
