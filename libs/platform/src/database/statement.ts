import type { Columns, Row } from './columns.js';

/**
 * SQL with a name, prepared once per connection, so that hot statements are neither parsed nor
 * planned again. Tests prepare each on the migrated schema and compare its result with `columns`.
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
 * @param name unique in the whole program: the driver rejects a second text under one name
 * @param columns returned columns, in any order; `{}` for a statement that returns no rows
 */
export function statement<const C extends Columns>(name: string, text: string, columns: C): Statement<C> {
  return { name, text, columns };
}

/** Returns the statement without its name, so that it is planned at each run for its values. */
export function unprepared<C extends Columns>({ text, columns }: Statement<C>): Statement<C> {
  return { name: '', text, columns };
}
