import { EventEmitter } from 'node:events';
import type { PgQueryResult, PostgresConnection } from 'bullmq';
import { PersistentSession } from '@tieline/background';

/** The client type a BullMQ worker listens on. */
export type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/** BullMQ announces new jobs of all queues here. */
const CHANNEL = 'bullmq_jobs';

/**
 * The session on which all workers of a process receive new jobs. BullMQ would open one for each
 * worker; they all listen on the same channel, so one is enough.
 */
export class JobsListener {
  private readonly messages = new Messages();
  private readonly ready = new EventEmitter().setMaxListeners(0);
  private readonly session: PersistentSession;

  constructor(databaseUrl: string, failed: (error: Error) => void) {
    this.session = new PersistentSession({
      databaseUrl,
      name: 'tieline-jobs',
      prepare: async (client) => {
        client.on('notification', (message) => this.messages.emit('notification', message));
        await client.query(`LISTEN ${CHANNEL}`);
      },
      onReady: () => this.ready.emit('ready'),
      onFailed: failed,
    });
    this.session.start();
  }

  /** Replaces BullMQ's own session. */
  get client(): ListenClient {
    return this.messages;
  }

  /** Calls `listener` whenever the session was opened; earlier notifications were missed. */
  onReady(listener: () => void): () => void {
    this.ready.on('ready', listener);
    return () => this.ready.off('ready', listener);
  }

  close(): Promise<void> {
    return this.session.close();
  }
}

/**
 * Forwards the notifications of the session, whichever connection it currently has. It always
 * listens, so LISTEN needs no query.
 */
class Messages extends EventEmitter implements ListenClient {
  constructor() {
    super();
    this.setMaxListeners(0);
  }

  query<Row>(): Promise<PgQueryResult<Row>> {
    return Promise.resolve({ rows: [] });
  }
}
