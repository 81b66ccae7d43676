/**
 * A `bytea` column with values sealed by a SecretBox. The lib that seals them exports it, and the
 * command `reencrypt` lists it: values of an unlisted column are lost when an old key is retired.
 */
export interface SecretColumn {
  /** Table name, with its schema if it is not on the search path: `schema.table`. */
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

/** Returns the column of the previous secret during a rotation. */
export function previousOf(column: SecretColumn): SecretColumn {
  return { ...column, secretColumn: 'previous_secret' };
}
