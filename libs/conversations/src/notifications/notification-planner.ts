import type { Tx } from '@tieline/platform/database';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import { chatEventOf } from '../messages/message-created.js';
import { jobOf } from './notification-job.js';
import { INSERT_JOBS } from './notification-jobs.statements.js';

/** Event types of messages that may notify people. */
const TELLING: ReadonlySet<string> = new Set(['MESSAGE_CREATED', 'MESSAGE_UPDATED']);

/**
 * Stores the messages that notify people, in the transaction that takes their events from the
 * outbox. Recipients are determined later: a channel may have ten thousand members, and the relay
 * must not wait for that.
 */
export class NotificationPlanner implements OutboxSubscriber {
  readonly name = 'notifications';
  private planned = 0;

  /** @param wake starts processing of the stored messages */
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
