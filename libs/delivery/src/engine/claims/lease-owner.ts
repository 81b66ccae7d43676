import type pg from 'pg';
import { PersistentSession, LEASE_OWNER_LOCKS } from '@tieline/background';
import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf } from '@tieline/platform/database';
import { DRAW_OWNER, REGISTER_OWNER, RELEASE_DEAD_LEASES, TAKE_OVER_LEASES } from './leases.statements.js';

/**
 * This worker's number as owner of leases. A dedicated session holds an advisory lock of that
 * number during the process's lifetime. When the process dies, the server releases the lock, and
 * other workers take over its leases immediately. When only the session is lost, the worker gets a
 * new number and moves its leases to it.
 */
export class LeaseOwner {
  private readonly session: PersistentSession;
  private owner: number | undefined;

  constructor(databaseUrl: string) {
    this.session = new PersistentSession({
      databaseUrl,
      name: 'tieline-lease-owner',
      queryTimeoutMs: 10_000,
      prepare: (client) => this.register(client),
    });
  }

  /**
   * Returns the number. The first call registers it.
   * @throws Error while the database is unreachable, so that nothing is claimed
   */
  async current(): Promise<number> {
    await this.session.ready();
    if (this.owner === undefined) throw new Error('the worker has no number');
    return this.owner;
  }

  /** The number, or undefined while the worker has no session. */
  get now(): number | undefined {
    return this.session.client && this.owner;
  }

  async close(): Promise<void> {
    await this.session.close();
  }

  private async register(client: pg.Client): Promise<void> {
    const { rows } = await client.query<RowOf<typeof DRAW_OWNER>>(DRAW_OWNER.text);
    const owner = rows[0]?.owner;
    // Lock before inserting the row. A row without a lock is taken for that of a dead worker.
    await client.query('SELECT pg_advisory_lock($1, $2)', [LEASE_OWNER_LOCKS, owner]);
    await client.query(REGISTER_OWNER.text, [owner]);
    if (this.owner !== undefined) await client.query(TAKE_OVER_LEASES.text, [this.owner, owner]);
    this.owner = owner;
  }
}

/**
 * Releases the leases of dead workers.
 * @returns the number of deliveries released
 */
export async function releaseDeadLeases(db: Queryable): Promise<number> {
  const freed = await db.query(unprepared(RELEASE_DEAD_LEASES), [LEASE_OWNER_LOCKS]);
  return freed[0]?.n ?? 0;
}
