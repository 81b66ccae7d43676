import type pg from 'pg';
import { KeptSession, LEASE_OWNER_LOCKS } from '@tieline/platform/background';
import type { Queryable } from '@tieline/platform/database';

const DRAW = `SELECT nextval(pg_get_serial_sequence('delivery_workers', 'owner'))::int AS owner`;
const REGISTER = 'INSERT INTO delivery_workers (owner) OVERRIDING SYSTEM VALUE VALUES ($1)';
/** What this worker has in flight goes on under its new number; otherwise others would send it again. */
const TAKE_OVER = 'UPDATE delivery_queue SET lease_owner = $2 WHERE lease_owner = $1';

/**
 * This worker's number as a holder of leases. A session of its own holds an advisory lock of that number for as long as the
 * process lives; when it dies, however it dies, the server frees the lock and others take its leases at once. When only the
 * session is lost, the worker gets another number and takes its leases along.
 */
export class LeaseOwner {
  private readonly session: KeptSession;
  private owner: number | undefined;

  constructor(databaseUrl: string) {
    this.session = new KeptSession({
      databaseUrl,
      name: 'tieline-lease-owner',
      queryTimeoutMs: 10_000,
      prepare: (client) => this.register(client),
    });
  }

  /**
   * The number; the first call registers.
   * @throws Error while the database can't be reached: nothing may be claimed
   */
  async current(): Promise<number> {
    await this.session.ready();
    if (this.owner === undefined) throw new Error('the worker has no number');
    return this.owner;
  }

  async close(): Promise<void> {
    await this.session.close();
  }

  private async register(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ owner: number }>(DRAW);
    const owner = rows[0]?.owner;
    // Before the row: a living worker whose row has no lock would be taken for dead.
    await client.query('SELECT pg_advisory_lock($1, $2)', [LEASE_OWNER_LOCKS, owner]);
    await client.query(REGISTER, [owner]);
    if (this.owner !== undefined) await client.query(TAKE_OVER, [this.owner, owner]);
    this.owner = owner;
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
    [LEASE_OWNER_LOCKS],
  );
  return freed[0]?.n ?? 0;
}
