import { PostgresConnection } from 'bullmq';
import type pg from 'pg';
import type { JobsListener, ListenClient } from './jobs-listener.js';

/**
 * BullMQ's connection of one queue or worker, on the shared connections of the process. Ready when
 * the server was reached and its schema is up to date. BullMQ's own connection never recovers from
 * a failed first contact.
 */
export class SharedConnection extends PostgresConnection {
  private stopListening: (() => void) | undefined;

  constructor(
    pool: pg.Pool,
    private readonly reached: Promise<true | undefined>,
    private readonly listener?: JobsListener,
  ) {
    super(pool as never);
    // Notifications were missed while the session was down: BullMQ looks again.
    this.stopListening = listener?.onReady(() => this.emit('listenerinvalidated'));
  }

  override async waitUntilReady(): Promise<void> {
    if ((await this.reached) === undefined)
      throw new Error('the queue was closed before its server was reached');
  }

  override async getListenClient(): Promise<ListenClient> {
    if (this.listener === undefined) throw new Error('only workers listen');
    return this.listener.client;
  }

  override async close(): Promise<void> {
    this.stopListening?.();
    await super.close();
  }
}
