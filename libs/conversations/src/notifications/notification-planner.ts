import type { Tx } from '@tieline/platform/database';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import { chatEventOf } from '../messages/message-created.js';
import { jobOf } from './notification-job.js';
import { INSERT_JOBS } from './notification-jobs.statements.js';

/** Events of messages that may ask for notice. */
const TELLING: ReadonlySet<string> = new Set(['MESSAGE_CREATED', 'MESSAGE_UPDATED']);

/**
 * Notes which messages are to be brought to people's notice, in the transaction that takes their
 * events from the outbox. Whom, and how, is worked out afterwards: a channel may have ten thousand
 * members, and the relay has others to serve.
 */
export class NotificationPlanner implements OutboxSubscriber {
  readonly name = 'notifications';
  private planned = 0;

  /** @param wake begins to work the jobs off */
  constructor(private readonly wake: () => void) {}

  async plan(tx: Tx, records: OutboxRecord[]): Promise<void> {
    const jobs = records.flatMap((record) =>
      TELLING.has(record.type) ? (jobOf(chatEventOf(record)) ?? []) : [],
    );
    this.planned = jobs.length;
    if (jobs.length === 0) return;
    await tx.query(INSERT_JOBS, [
      jobs.map((job) => job.spaceId),
      jobs.map((job) => job.eventId),
      jobs.map((job) => job.messageId),
      jobs.map((job) => job.conversationId),
      jobs.map((job) => job.channelId),
      jobs.map((job) => JSON.stringify(job.notice)),
      jobs.map((job) => job.occurredAt),
    ]);
  }

  committed(): void {
    if (this.planned > 0) this.wake();
  }
}
