import type pg from 'pg';

/** Smaller tables stay as they are. */
const LARGE = 5000;
/** The last row and one in this many are copied. An odd number, so that copies differ in state. */
const COPIED = 4999;
const COPIES = 50_000;
const KEPT = 500;

interface Column {
  name: string;
  type: string;
  isKey: boolean;
}

/** SQL for the n-th key, by type. Keys are greater than those of a fill. */
const KEYS: Record<string, string> = {
  uuid: `('0190d5e0-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid`,
  text: `'key' || n`,
  bytea: `decode(lpad(to_hex(n), 64, '0'), 'hex')`,
  bigint: '10000000 + n',
  integer: '10000000 + n',
  'timestamp with time zone': `now() + n * interval '1 second'`,
};
/** SQL for the id in a column, by type. Hashes of tests have the bytes of an id. */
const OWNED: Record<string, (column: string) => string> = {
  uuid: (column) => `"${column}"`,
  bytea: (column) => `CASE WHEN length("${column}") = 16 THEN encode("${column}", 'hex')::uuid END`,
};
/** The space, target, conversation or other owner of the copies. */
const OTHER = `'0190d5e0-0000-7000-8002-000000000001'::uuid`;

/**
 * Refills each large table as if another tenant had nearly all rows: with 50,000 copies that belong
 * to one owner, followed by up to 500 of its rows, first those with most of the ids. One value has
 * most of every column, except keys and the columns in `spread`. The planner expects each other
 * value to be as frequent, as it does if its sample has no others.
 *
 * @param ids of the owners whose rows stay
 * @param spread `table.column` with few rows for each value
 */
export async function dominateTables(
  client: pg.ClientBase,
  ids: readonly string[],
  spread: readonly string[],
): Promise<void> {
  const { rows: tables } = await client.query<{ name: string; isLarge: boolean }>(
    `SELECT relname AS name, reltuples >= ${LARGE} AS "isLarge" FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const fills: string[] = [];
  for (const { name, isLarge } of tables)
    fills.push(await (isLarge ? dominate(client, name, ids, spread) : keep(client, name)));
  await client.query(`
    SET session_replication_role = replica;
    TRUNCATE ${tables.map(({ name }) => `"${name}"`).join(', ')};
    ${fills.join(';')};
    SET session_replication_role = origin`);
  await client.query('VACUUM ANALYZE');
}

/** Copies what is to stay. @returns SQL that fills the empty table */
async function dominate(
  client: pg.ClientBase,
  table: string,
  ids: readonly string[],
  spread: readonly string[],
): Promise<string> {
  const columns = await columnsOf(client, table, spread);
  const copied = columns.map(({ name, type, isKey }) => {
    const value = isKey ? KEYS[type] : type === 'uuid' ? OTHER : `"${name}"`;
    return `CASE WHEN "${name}" IS NOT NULL THEN ${value} END`;
  });
  const matches = columns
    .flatMap(({ name, type }) => (OWNED[type] ? [OWNED[type](name)] : []))
    .map((owner) => `coalesce(${owner} = ANY ('{${ids.join(',')}}'::uuid[]), false)::int`)
    .join(' + ');
  const expectTwo = columns
    .filter(({ isKey }) => !isKey)
    .map(({ name }) => `ALTER TABLE "${table}" ALTER "${name}" SET (n_distinct = 2)`);
  await client.query(`
    CREATE TEMP TABLE "model_${table}" AS
      SELECT * FROM (SELECT row_number() OVER (ORDER BY ctid) AS nth, count(*) OVER () AS total, * FROM "${table}") t
      WHERE nth = total OR nth % ${COPIED} = 0`);
  return `
    INSERT INTO "${table}" (${namesOf(columns)}) OVERRIDING SYSTEM VALUE SELECT ${copied.join(', ')} FROM "model_${table}"
      CROSS JOIN LATERAL (
        SELECT nth + i * total AS n FROM generate_series(1, ${COPIES} / (SELECT count(*) FROM "model_${table}")) i
      ) n;
    ${await keep(client, table, `WHERE ${matches} > 0 ORDER BY ${matches} DESC LIMIT ${KEPT}`)};
    ${expectTwo.join(';')}`;
}

/** Copies some of the rows. @returns SQL that inserts them */
async function keep(client: pg.ClientBase, table: string, some = ''): Promise<string> {
  const names = namesOf(await columnsOf(client, table, []));
  await client.query(`CREATE TEMP TABLE "kept_${table}" AS SELECT * FROM "${table}" ${some}`);
  return `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM "kept_${table}"`;
}

function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

/**
 * Returns the columns that are not generated. Of each unique index, the last column with a type in
 * {@link KEYS} is a key.
 */
async function columnsOf(client: pg.ClientBase, table: string, spread: readonly string[]): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, $2 || '.' || a.attname = ANY ($4) OR a.attnum IN (
       SELECT max(k.attnum) FROM pg_index i
       JOIN pg_attribute k ON k.attrelid = i.indrelid AND format_type(k.atttypid, NULL) = ANY ($3)
       WHERE i.indrelid = a.attrelid AND i.indisunique AND (k.attnum = ANY (i.indkey) OR 0 = ANY (i.indkey) AND k.attnum IN (
         SELECT refobjsubid FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = i.indexrelid AND refobjid = i.indrelid))
       GROUP BY i.indexrelid
     ) AS "isKey"
     FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     ORDER BY a.attnum`,
    [`"${table}"`, table, Object.keys(KEYS), spread],
  );
  return rows;
}
