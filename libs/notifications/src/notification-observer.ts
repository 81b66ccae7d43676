import { Inject, Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { NotificationMetrics } from './notifications.metrics.js';
import { LiveEvents } from '@tieline/live-stream';
import type { BatchEvents } from './batches/notification-batches.js';
import type { NotificationJob, NotifiedMessage } from './jobs/notification-job.js';
import { notificationView } from './notification.view.js';
import type { StoredNotification } from './notification.view.js';
import { peopleOnline } from './notifications.queries.js';

/** Reports processed messages to open streams, metrics and the log. */
@Injectable()
export class NotificationObserver implements BatchEvents {
  constructor(
    private readonly db: Db,
    private readonly live: LiveEvents,
    private readonly metrics: NotificationMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sends the notifications to the open streams of people who are online. */
  async notified(messages: readonly NotifiedMessage[]): Promise<void> {
    this.metrics.outcome('notified', messages.length);
    for (const spaceId of new Set(messages.map(({ job }) => job.spaceId))) {
      const own = messages.filter(({ job }) => job.spaceId === spaceId);
      await this.tell(
        spaceId,
        own.flatMap(({ notifications }) => notifications),
      ).catch((error: unknown) => this.failed('notifications', error));
    }
  }

  /** Logs ids only, because the message and the database error may contain private text. */
  messageFailed(
    { spaceId, eventId, messageId }: NotificationJob,
    { attempts, isRejected }: { attempts: number; isRejected: boolean },
    error: unknown,
  ): void {
    this.metrics.outcome(isRejected ? 'rejected' : 'retry');
    const { name, code } = error as { name?: string; code?: string };
    this.logger[isRejected ? 'error' : 'warn'](
      {
        part: 'notifications',
        space_id: spaceId,
        event_id: eventId,
        message_id: messageId,
        attempts,
        error: name,
        code,
      },
      isRejected ? 'message rejected: no one is notified of it' : 'notifying failed, will be retried',
    );
  }

  /** Reports a failure of background work, which is retried. */
  failed(part: 'notifications' | 'notification_partitions', error: unknown): void {
    this.metrics.failed(part);
    this.logger.error({ part, err: error }, 'notifications failed');
  }

  private async tell(spaceId: string, notifications: readonly StoredNotification[]): Promise<void> {
    const users = [...new Set(notifications.map(({ userId }) => userId))];
    if (users.length === 0) return;
    const online = await peopleOnline(this.db, spaceId, users);
    for (const notification of notifications)
      if (online.has(notification.userId))
        this.live.toPerson(spaceId, notification.userId, {
          event: 'notification',
          ...notificationView(notification),
        });
  }
}
