import type { Columns, Params, ParamValues, Row } from './columns.js';
import { withHiddenArrays } from './hidden-arrays.js';
import { withNumbers } from './named-parameters.js';

/** The length up to which Postgres tells the names of prepared statements apart. */
const MAX_NAME = 63;
/** Longer lists of values are hard to count. */
const FOURTH_PARAMETER = /\$(?:[4-9]|\d\d)\b/;

/**
 * SQL with a name, prepared once per connection, so that hot statements are neither parsed nor
 * planned again. Tests prepare each on the migrated schema and compare its parameters and its
 * result with what it declares.
 */
export interface Statement<C extends Columns = Columns, P extends Params | undefined = undefined> {
  readonly name: string;
  readonly text: string;
  /** What is prepared; see {@link withHiddenArrays}. */
  readonly preparedText: string;
  readonly columns: C;
  /** Undefined if the values are passed by position. */
  readonly params: P;
}

/** A statement with parameters of either kind. */
export type AnyStatement = Statement<Columns, Params | undefined>;

/** The type of a statement's rows. */
export type RowOf<S> = S extends { readonly columns: infer C extends Columns } ? Row<C> : never;

/** The type of the values of a statement with named parameters. */
export type ValuesOf<S> = S extends { readonly params: infer P extends Params } ? ParamValues<P> : never;

/**
 * Declares a prepared statement, in `<noun>.statements.ts`. With up to three parameters it may use
 * `$1`, `$2`, `$3` and takes an array of values.
 *
 * @param name `noun.verb_object`, unique in the whole program. The driver rejects a second text
 * under one name.
 * @param columns returned columns, in any order; `{}` for a statement that returns no rows.
 * @throws if the SQL has more than three parameters
 */
export function statement<const C extends Columns>(name: string, text: string, columns: C): Statement<C>;
/**
 * Declares a prepared statement with named parameters. `:spaceId` in the SQL stands for the
 * parameter `spaceId`, and callers pass `{ spaceId, … }`. SQL that several statements share is a
 * string constant with such names.
 *
 * @param declared `columns` as above; `params` in the order of `$1`, `$2`, …
 * @throws if the SQL has other parameters than the declared ones.
 */
export function statement<const C extends Columns, const P extends Params>(
  name: string,
  declared: { readonly params: P; readonly columns: C },
  sql: string,
): Statement<C, P>;
export function statement(
  name: string,
  ...declaration: [text: string, columns: Columns] | [{ params: Params; columns: Columns }, sql: string]
): AnyStatement {
  if (name.length > MAX_NAME) throw new Error(`${name}: the name is longer than ${MAX_NAME} characters`);
  const [first, second] = declaration;
  if (typeof first === 'string') {
    if (FOURTH_PARAMETER.test(first)) throw new Error(`${name}: four and more parameters have names`);
    const preparedText = withHiddenArrays(first, {});
    return { name, text: first, preparedText, columns: second as Columns, params: undefined };
  }
  const text = withNumbers(name, Object.keys(first.params), second as string);
  return { name, ...first, text, preparedText: withHiddenArrays(text, first.params) };
}

/** Returns the statement without its name, so that it is planned at each run for its values. */
export function unprepared<C extends Columns, P extends Params | undefined>(
  statement: Statement<C, P>,
): Statement<C, P> {
  return { ...statement, name: '', preparedText: statement.text };
}

/**
 * Returns the values in the order of `$1`, `$2`, …, for the driver.
 * @param values an array, or an object for a statement with named parameters
 * @throws if the object lacks a value
 */
export function orderedValues({ name: statementName, params }: AnyStatement, values: object): unknown[] {
  if (params === undefined) return [...(values as readonly unknown[])];
  return Object.keys(params).map((name) => {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) throw new Error(`${statementName}: parameter ${name} has no value`);
    return value;
  });
}
