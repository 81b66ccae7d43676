import type pg from 'pg';
import { PersistentSession, LEASE_OWNER_LOCKS } from '@tieline/background';
import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf } from '@tieline/platform/database';
import { DRAW_OWNER, REGISTER_OWNER, RELEASE_DEAD_LEASES, TAKE_OVER_LEASES } from './leases.statements.js';

/**
 * This worker's number as a holder of leases. A session of its own holds an advisory lock of that
 * number for as long as the process lives; when it dies, however it dies, the server frees the lock
 * and others take its leases at once. When only the session is lost, the worker gets another number
 * and takes its leases along.
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
    const { rows } = await client.query<RowOf<typeof DRAW_OWNER>>(DRAW_OWNER.text);
    const owner = rows[0]?.owner;
    // Before the row: without the lock, a living worker's row would be taken for a dead one's.
    await client.query('SELECT pg_advisory_lock($1, $2)', [LEASE_OWNER_LOCKS, owner]);
    await client.query(REGISTER_OWNER.text, [owner]);
    if (this.owner !== undefined) await client.query(TAKE_OVER_LEASES.text, [this.owner, owner]);
    this.owner = owner;
  }
}

/**
 * Gives back the leases of workers that no longer live.
 * @returns how many deliveries became free
 */
export async function releaseDeadLeases(db: Queryable): Promise<number> {
  const freed = await db.query(unprepared(RELEASE_DEAD_LEASES), [LEASE_OWNER_LOCKS]);
  return freed[0]?.n ?? 0;
}
