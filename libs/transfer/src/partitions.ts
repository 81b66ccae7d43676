import pg from 'pg';
import type { RowOf } from '@tieline/platform/database';
import type { RangePartition } from './dump-format.js';
import type { PARTITIONS } from './schema.statements.js';
import { TransferRefused } from './transfer-refused.js';

/** `FOR VALUES FROM ('…') TO ('…')`; values are UUIDs, dates, times or numbers. */
const RANGE = /^FOR VALUES FROM \('([0-9A-Za-z:+. -]{1,64})'\) TO \('([0-9A-Za-z:+. -]{1,64})'\)$/;
const VALUE = /^[0-9A-Za-z:+. -]{1,64}$/;
const FILLFACTOR = /^fillfactor=(\d{2,3})$/;

/**
 * Returns a partition of the catalog in the format of an export; undefined for a default partition,
 * which migrations create.
 * @throws Error when its bound or storage parameters are of another kind
 */
export function rangePartition({
  name,
  parent,
  bound,
  storage,
}: RowOf<typeof PARTITIONS>): RangePartition | undefined {
  if (bound === 'DEFAULT') return undefined;
  const range = RANGE.exec(bound);
  const fillfactor = storage === null ? undefined : FILLFACTOR.exec(storage);
  if (!range || fillfactor === null)
    throw new Error(`partition ${name} can't be exported: ${bound} ${storage}`);
  return {
    name,
    parent,
    low: range[1]!,
    high: range[2]!,
    fillfactor: fillfactor ? Number(fillfactor[1]) : null,
  };
}

/**
 * Returns the statement that creates a partition of an export. Everything from the file is checked
 * and quoted.
 * @param parents the partitioned tables of the database
 * @throws TransferRefused when the file names an unknown table or has an invalid value
 */
export function createPartition(partition: RangePartition, parents: ReadonlySet<string>): string {
  const { name, parent, low, high, fillfactor } = partition;
  const isKnown = parents.has(parent) && new RegExp(`^${parent}_\\d{8}$`).test(name);
  const hasValues = VALUE.test(low) && VALUE.test(high);
  const fills =
    fillfactor === null || (Number.isInteger(fillfactor) && fillfactor >= 10 && fillfactor <= 100);
  if (!isKnown || !hasValues || !fills)
    throw new TransferRefused('the file names a partition that this version does not have');
  const [own, of] = [pg.escapeIdentifier(name), pg.escapeIdentifier(parent)];
  const bound = `FOR VALUES FROM (${pg.escapeLiteral(low)}) TO (${pg.escapeLiteral(high)})`;
  return `CREATE TABLE ${own} PARTITION OF ${of} ${bound}${fillfactor === null ? '' : ` WITH (fillfactor = ${fillfactor})`}`;
}
