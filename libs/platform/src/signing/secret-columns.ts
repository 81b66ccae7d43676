/** A `bytea` column that holds values sealed by a SecretBox. */
export interface SecretColumn {
  /** Table name, with its schema where it is not on the search path: `schema.table`. */
  readonly table: string;
  /** Columns of the primary key, in its order. */
  readonly keyColumns: readonly [string, ...string[]];
  readonly secretColumn: string;
  /** The purpose that values of this column were sealed for. Key columns arrive as text, as Postgres prints them. */
  readonly aad: (key: Readonly<Record<string, string>>) => string;
}

const registered = new Map<string, SecretColumn>();

/**
 * Makes a column known to the re-encryption command. Each lib calls it once, where its module is composed, for every
 * column that holds sealed values: a column that is not registered would become unreadable when an old key is retired.
 * A second registration of the same column replaces the first.
 */
export function registerSecretColumn(column: SecretColumn): void {
  registered.set(`${column.table}.${column.secretColumn}`, column);
}

/** Every registered column, in the order of registration. */
export function registeredSecretColumns(): SecretColumn[] {
  return [...registered.values()];
}
