import type { Columns, Row } from './columns.js';

/**
 * SQL with a name: prepared once per connection, so that hot statements are neither parsed nor planned again.
 * The test kit prepares each on the migrated schema and compares what it returns with `columns`.
 */
export interface Statement<C extends Columns = Columns> {
  readonly name: string;
  readonly text: string;
  readonly columns: C;
}

/** A statement whose rows nothing checks. */
export interface UncheckedStatement {
  readonly name: string;
  readonly text: string;
  readonly columns?: undefined;
}

/** The type of a statement's rows. */
export type RowOf<S> = S extends Statement<infer C> ? Row<C> : never;

/**
 * Declares a prepared statement, in `<noun>.statements.ts`.
 *
 * @param name unique in the whole program: two texts under one name make the driver refuse the second
 * @param columns what it returns, in any order; `{}` for a statement without RETURNING
 */
export function statement(name: string, text: string): UncheckedStatement;
export function statement<const C extends Columns>(name: string, text: string, columns: C): Statement<C>;
export function statement(name: string, text: string, columns?: Columns): Statement | UncheckedStatement {
  return columns === undefined ? { name, text } : { name, text, columns };
}
