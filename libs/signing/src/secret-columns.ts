/**
 * A `bytea` column that holds values sealed by a SecretBox. The lib that seals them exports it, and
 * the command `reencrypt` lists it: values of a column that is not listed are lost when an old key
 * is retired.
 */
export interface SecretColumn {
  /** Table name, with its schema where it is not on the search path: `schema.table`. */
  readonly table: string;
  /** Columns of the primary key, in its order. */
  readonly keyColumns: readonly [string, ...string[]];
  readonly secretColumn: string;
  /**
   * The purpose that values of this column were sealed for. Key columns arrive as text, as Postgres
   * prints them.
   */
  readonly aad: (key: Readonly<Record<string, string>>) => string;
}

/** Where the secret before the one of `column` is kept while a rotation overlaps. */
export function previousOf(column: SecretColumn): SecretColumn {
  return { ...column, secretColumn: 'previous_secret' };
}
