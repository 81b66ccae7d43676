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

/**
 * A type by the name that Postgres gives it; null never occurs in such a column (see {@link
 * nullable}).
 */
export type ColumnType = keyof Values | `${keyof Values}[]`;

declare const VALUE: unique symbol;

/**
 * A column whose TypeScript type says more than its Postgres type; made by {@link json}, {@link
 * text}, {@link nullable}.
 */
export interface Column<T> {
  readonly type: ColumnType | 'json';
  readonly [VALUE]?: () => T;
}

/** What a statement returns: the columns' names and types. */
export type Columns = Readonly<Record<string, ColumnType | Column<unknown>>>;

type ValueOf<C> =
  C extends Column<infer T>
    ? T
    : C extends keyof Values
      ? Values[C]
      : C extends `${infer E extends keyof Values}[]`
        ? Values[E][]
        : never;

/** The type of a row with these columns; without any there are no rows. */
export type Row<C extends Columns> = [keyof C] extends [never]
  ? never
  : { -readonly [K in keyof C]: ValueOf<C[K]> };

/** A `json` or `jsonb` column. Nothing checks what is inside: T is what the writer stored. */
export function json<T>(): Column<T> {
  return { type: 'json' };
}

/**
 * A `text` column that holds only certain words, such as a state: `text<'active' | 'retired'>()`.
 */
export function text<T extends string>(): Column<T> {
  return { type: 'text' };
}

/** A column that may be null. */
export function nullable<const C extends ColumnType | Column<unknown>>(column: C): Column<ValueOf<C> | null> {
  return { type: typeof column === 'string' ? column : column.type };
}
