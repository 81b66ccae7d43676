import pg from 'pg';
import type { Queryable } from '@tieline/platform/database';

/** First key of the advisory locks that living workers hold; the second is their number. */
const LOCK_CLASS = 713_010;

/**
 * This worker's number as a holder of leases. A connection of its own holds an advisory lock of that number for as long
 * as the process lives; when it dies, however it dies, the server frees the lock and others take its leases at once.
 */
export class LeaseOwner {
  private client: pg.Client | undefined;
  private registering: Promise<number> | undefined;
  private closed = false;

  constructor(private readonly databaseUrl: string) {}

  /** The number; registers first, and again with a new number after the connection was lost. */
  current(): Promise<number> {
    this.registering ??= this.register().catch((error: unknown) => {
      this.registering = undefined;
      throw error;
    });
    return this.registering;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.end().catch(() => undefined);
  }

  private async register(): Promise<number> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'tieline-lease-owner',
      keepAlive: true,
    });
    const lost = (): void => {
      if (this.client === client && !this.closed) this.registering = undefined;
    };
    client.on('error', lost).on('end', lost);
    await client.connect();
    this.client = client;
    const rows = await client.query<{ owner: number }>(
      'INSERT INTO delivery_workers DEFAULT VALUES RETURNING owner',
    );
    const owner = rows.rows[0]?.owner ?? 0;
    await client.query('SELECT pg_advisory_lock($1, $2)', [LOCK_CLASS, owner]);
    return owner;
  }
}

/**
 * Gives back the leases of workers that no longer live.
 * @returns how many deliveries became free
 */
export async function releaseDeadLeases(db: Queryable): Promise<number> {
  const freed = await db.query<{ n: number }>(
    `WITH dead AS (
       DELETE FROM delivery_workers w
       WHERE started_at < clock_timestamp() - interval '1 second' AND NOT EXISTS (
         SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = $1::oid AND l.objid = w.owner::oid AND l.objsubid = 2 AND l.granted
           AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
       RETURNING owner
     ), freed AS (
       UPDATE delivery_queue SET lease = NULL, lease_owner = NULL, lease_until = NULL
       WHERE EXISTS (SELECT 1 FROM dead) AND lease_owner IN (SELECT owner FROM dead) RETURNING 1
     ) SELECT count(*) AS n FROM freed`,
    [LOCK_CLASS],
  );
  return freed[0]?.n ?? 0;
}
