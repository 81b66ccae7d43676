import type { Pool } from 'pg';

/**
 * Tables that are ignored: written independently of requests, or also by refused ones for counting
 * and to reject repeated signatures.
 */
const COUNTED = ['client_presence_processes', 'rate_counters', 'incoming_requests'];

const WATCH = `
  CREATE UNLOGGED TABLE fuzz_writes (name text NOT NULL);
  CREATE FUNCTION fuzz_note() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO fuzz_writes VALUES (TG_OP || ' ' || TG_TABLE_NAME);
    RETURN NULL;
  END $$;
  DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT c.relname FROM pg_class c
                 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                   AND c.relname <> 'fuzz_writes' AND c.relname <> ALL ('{${COUNTED.join(',')}}')
    LOOP
      EXECUTE format('CREATE TRIGGER fuzz_note AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION fuzz_note()', name);
    END LOOP;
  END $$`;

/**
 * Records committed writes with triggers on every table. Use it only in a database for one test.
 */
export class Writes {
  private constructor(private readonly sql: Pool) {}

  static async watch(sql: Pool): Promise<Writes> {
    await sql.query(WATCH);
    return new Writes(sql);
  }

  /** Returns the writes since the last call, such as `INSERT messages`. */
  async taken(): Promise<string[]> {
    const { rows } = await this.sql.query<{ name: string }>(
      'WITH gone AS (DELETE FROM fuzz_writes RETURNING name) SELECT DISTINCT name FROM gone ORDER BY name',
    );
    return rows.map(({ name }) => name);
  }
}
