import { PersistentSession, Signal } from '@tieline/background';

/** BullMQ announces new jobs of all queues here. */
const CHANNEL = 'bullmq_jobs';

/** The session on which all workers of a process learn of new jobs. */
export class JobsListener {
  private readonly news = new Map<string, Signal>();
  private readonly session: PersistentSession;

  constructor(databaseUrl: string, failed: (error: Error) => void) {
    this.session = new PersistentSession({
      databaseUrl,
      name: 'tieline-jobs',
      prepare: async (client) => {
        client.on('notification', ({ payload }) => this.news.get(payload ?? '')?.notify());
        await client.query(`LISTEN ${CHANNEL}`);
      },
      // Notifications were missed while there was no session.
      onReady: () => this.news.forEach((signal) => signal.notify()),
      onFailed: failed,
    });
    this.session.start();
  }

  /** Returns the signal of a queue: it may have a job to take. */
  of(queue: string): Signal {
    const signal = this.news.get(queue) ?? new Signal();
    this.news.set(queue, signal);
    return signal;
  }

  close(): Promise<void> {
    return this.session.close();
  }
}
