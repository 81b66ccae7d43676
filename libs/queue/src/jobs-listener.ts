import { EventEmitter } from 'node:events';
import type { PgQueryResult, PostgresConnection } from 'bullmq';
import { KeptSession } from '@tieline/background';

/** The client type a BullMQ worker listens on. */
export type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/** BullMQ tells of new jobs of all queues here. */
const CHANNEL = 'bullmq_jobs';

/**
 * The session on which all workers of a process hear of new jobs. BullMQ would hold one for each
 * worker; they all listen on the same channel, so one is enough.
 */
export class JobsListener {
  private readonly messages = new Messages();
  private readonly ready = new EventEmitter().setMaxListeners(0);
  private readonly session: KeptSession;

  constructor(databaseUrl: string, failed: (error: Error) => void) {
    this.session = new KeptSession({
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

  /** What BullMQ uses as its own session. */
  get client(): ListenClient {
    return this.messages;
  }

  /** Calls `listener` whenever the session was opened; what came before was not heard. */
  onReady(listener: () => void): () => void {
    this.ready.on('ready', listener);
    return () => this.ready.off('ready', listener);
  }

  close(): Promise<void> {
    return this.session.close();
  }
}

/**
 * Hands on what the session hears, whichever connection it has just now. It listens already: there
 * is nothing to ask.
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
