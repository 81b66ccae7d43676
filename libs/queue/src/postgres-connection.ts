import { PostgresConnection } from 'bullmq';
import type pg from 'pg';

/**
 * BullMQ's connection of one queue or worker, on the shared connections of the process. Ready when
 * the server was reached and its schema is up to date. BullMQ's own connection never recovers from
 * a failed first contact.
 */
export class SharedConnection extends PostgresConnection {
  constructor(
    pool: pg.Pool,
    private readonly reached: Promise<true | undefined>,
  ) {
    super(pool as never);
  }

  override async waitUntilReady(): Promise<void> {
    if ((await this.reached) === undefined)
      throw new Error('the queue was closed before its server was reached');
  }
}
