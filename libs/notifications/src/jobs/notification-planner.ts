import type { Tx } from '@tieline/platform/database';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import type { ChatEvent } from '@tieline/conversations';
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
      TELLING.has(record.type) ? (jobOf(record.payload as ChatEvent) ?? []) : [],
    );
    this.planned = jobs.length;
    if (jobs.length === 0) return;
    await tx.query(INSERT_JOBS, {
      spaceIds: jobs.map((job) => job.spaceId),
      eventIds: jobs.map((job) => job.eventId),
      messageIds: jobs.map((job) => job.messageId),
      conversationIds: jobs.map((job) => job.conversationId),
      channelIds: jobs.map((job) => job.channelId),
      notices: jobs.map((job) => JSON.stringify(job.notice)),
      occurredAt: jobs.map((job) => job.occurredAt),
    });
  }

  committed(): void {
    if (this.planned > 0) this.wake();
  }
}
