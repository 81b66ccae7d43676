/** Values of a result's columns. */
interface Values {
  uuid: string;
  text: string;
  int2: number;
  int4: number;
  int8: number;
  float8: number;
  bool: boolean;
  timestamptz: Date;
  date: Date;
  bytea: Buffer;
  /** `json` or `jsonb`; see {@link json} */
  json: unknown;
}

/** Values of parameters, where these are not the values of columns. */
interface Passed extends Omit<Values, 'int8' | 'timestamptz' | 'date' | 'json'> {
  int8: number | bigint | string;
  timestamptz: Date | string;
  date: Date | string;
  /** JSON text */
  json: string;
}

/** A Postgres type by name. Such a column or parameter is never null (see {@link nullable}). */
export type ColumnType = keyof Values | `${keyof Values}[]`;

declare const VALUE: unique symbol;

/**
 * A column or parameter whose TypeScript type differs from that of its Postgres type. Created by
 * {@link json}, {@link text}, {@link nullable}. `T` is its type as a column, `P` as a parameter.
 */
export interface Column<T, P = T> {
  readonly type: ColumnType;
  readonly nullable?: true;
  readonly [VALUE]?: () => [T, P];
}

/** Names and types of the columns that a statement returns. */
export type Columns = Readonly<Record<string, ColumnType | Column<unknown>>>;

/**
 * Names and types of a statement's parameters, in the order of `$1`, `$2`. Elements of an array may
 * be null.
 */
export type Params = Columns;

/** The type of a column in the program. */
export type ValueOf<C> =
  C extends Column<infer T, unknown>
    ? T
    : C extends keyof Values
      ? Values[C]
      : C extends `${infer E extends keyof Values}[]`
        ? Values[E][]
        : never;

type PassedOf<P> =
  P extends Column<unknown, infer T>
    ? T
    : P extends keyof Passed
      ? Passed[P]
      : P extends `${infer E extends keyof Passed}[]`
        ? readonly (Passed[E] | null)[]
        : never;

/** Values for these parameters, by name. */
export type ParamValues<P extends Params> = { readonly [K in keyof P]: PassedOf<P[K]> };

/** The row type of these columns; without columns there are no rows. */
export type Row<C extends Columns> = [keyof C] extends [never]
  ? never
  : { -readonly [K in keyof C]: ValueOf<C[K]> };

/** A `json` or `jsonb` column. Its content is not checked: T is what the writer stored. */
export function json<T>(): Column<T, string> {
  return { type: 'json' };
}

/** A `text` column with a fixed set of values, such as a state: `text<'active' | 'retired'>()`. */
export function text<T extends string>(): Column<T> {
  return { type: 'text' };
}

/** A nullable column or parameter. */
export function nullable<const C extends ColumnType | Column<unknown>>(
  column: C,
): Column<ValueOf<C> | null, PassedOf<C> | null> {
  return { type: typeof column === 'string' ? column : column.type, nullable: true };
}
