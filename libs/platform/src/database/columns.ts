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
}

/** A Postgres type by name. Such a column is never null (see {@link nullable}). */
export type ColumnType = keyof Values | `${keyof Values}[]`;

declare const VALUE: unique symbol;

/**
 * A column whose TypeScript type is narrower than its Postgres type; created by {@link json},
 * {@link text}, {@link nullable}.
 */
export interface Column<T> {
  readonly type: ColumnType | 'json';
  readonly [VALUE]?: () => T;
}

/** Names and types of the columns that a statement returns. */
export type Columns = Readonly<Record<string, ColumnType | Column<unknown>>>;

type ValueOf<C> =
  C extends Column<infer T>
    ? T
    : C extends keyof Values
      ? Values[C]
      : C extends `${infer E extends keyof Values}[]`
        ? Values[E][]
        : never;

/** The row type of these columns; without columns there are no rows. */
export type Row<C extends Columns> = [keyof C] extends [never]
  ? never
  : { -readonly [K in keyof C]: ValueOf<C[K]> };

/** A `json` or `jsonb` column. Its content is not checked: T is what the writer stored. */
export function json<T>(): Column<T> {
  return { type: 'json' };
}

/** A `text` column with a fixed set of values, such as a state: `text<'active' | 'retired'>()`. */
export function text<T extends string>(): Column<T> {
  return { type: 'text' };
}

/** A nullable column. */
export function nullable<const C extends ColumnType | Column<unknown>>(column: C): Column<ValueOf<C> | null> {
  return { type: typeof column === 'string' ? column : column.type };
}
