import type { Columns, Row } from './columns.js';

/**
 * SQL with a name: prepared once per connection, so that hot statements are neither parsed nor
 * planned again. The test kit prepares each on the migrated schema and compares what it returns
 * with `columns`.
 */
export interface Statement<C extends Columns = Columns> {
  readonly name: string;
  readonly text: string;
  readonly columns: C;
}

/** The type of a statement's rows. */
export type RowOf<S> = S extends Statement<infer C> ? Row<C> : never;

/**
 * Declares a prepared statement, in `<noun>.statements.ts`.
 *
 * @param name unique in the whole program: two texts under one name make the driver refuse the
 * second
 * @param columns what it returns, in any order; `{}` for a statement that returns no rows
 */
export function statement<const C extends Columns>(name: string, text: string, columns: C): Statement<C> {
  return { name, text, columns };
}

/** The same statement, planned at each run for the values and tables as they are then. */
export function unprepared<C extends Columns>({ text, columns }: Statement<C>): Statement<C> {
  return { name: '', text, columns };
}
