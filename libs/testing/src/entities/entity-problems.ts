import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { readRows } from '../statements/read-rows.js';

/** A column of a table. */
interface TableColumn {
  name: string;
  /** Long type name of Postgres: `timestamp with time zone`, `uuid[]`. */
  type: string;
  nullable: boolean;
  primary: boolean;
}

/**
 * Compares entities with their tables: name, type, nullability and primary key of every column.
 *
 * @param databaseUrl a migrated database
 * @returns one sentence per problem
 */
export async function entityProblems(databaseUrl: string, entities: readonly Function[]): Promise<string[]> {
  const db = await openDb({ databaseUrl, poolMax: 1, applicationName: 'tieline-tests' });
  try {
    const problems: string[] = [];
    for (const entity of entities) problems.push(...(await problemsOf(db, entity)));
    return [...(entities.length === 0 ? ['no entity is given'] : []), ...problems];
  } finally {
    await db.close();
  }
}

async function problemsOf(db: Db, entity: Function): Promise<string[]> {
  const { name, tableName } = db.dataSource.getMetadata(entity);
  const present = await columnsOf(db, tableName);
  if (present.length === 0) return [`${name}: there is no table ${tableName}`];
  const declared = declaredColumns(db, entity);
  const names = new Set([...declared, ...present].map((column) => column.name));
  return [...names].flatMap((column) => {
    const [ours, theirs] = [named(declared, column), named(present, column)];
    return ours === theirs ? [] : [`${name}.${column}: declared is ${ours}, the table has ${theirs}`];
  });
}

function declaredColumns({ dataSource }: Db, entity: Function): TableColumn[] {
  return dataSource.getMetadata(entity).columns.map((column) => ({
    name: column.databaseName,
    type: dataSource.driver.normalizeType(column) + (column.isArray ? '[]' : ''),
    nullable: column.isNullable,
    primary: column.isPrimary,
  }));
}

function columnsOf(db: Db, table: string): Promise<TableColumn[]> {
  return readRows(
    db,
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, NOT a.attnotnull AS nullable,
            EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS primary
       FROM pg_attribute a WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [table],
  );
}

function named(columns: readonly TableColumn[], wanted: string): string {
  const column = columns.find(({ name }) => name === wanted);
  if (!column) return 'nothing';
  return `${column.type}${column.nullable ? ' or null' : ''}${column.primary ? ', primary key' : ''}`;
}
