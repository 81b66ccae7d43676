import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { ADVISORY_LOCKS, Loop } from '@tieline/platform/background';
import { Db, rotateDailyPartitions, runInTx, uuidFloor } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { OutboxRelay } from '@tieline/delivery';
import { LiveEvents } from '../live/live-events.js';
import { NotificationPlanner } from './notification-planner.js';
import { notificationView } from './notification.view.js';
import type { StoredNotification } from './notification.view.js';
import { peopleOnline } from './notifications.queries.js';
import { claimJob, notifyMembers } from './notify-members.js';
import { planWebPushes } from './push/plan-web-pushes.js';

const SWEEP_MS = 2_000;
const ROTATE_MS = 3_600_000;
const RETENTION_MS = 30 * 86_400_000;

/**
 * Brings messages to people's notice: one message at a time, in a transaction that writes the notifications, plans the pushes and
 * takes the job away; then people who are online hear of it. What a crash interrupts is found by the next sweep.
 */
@Injectable()
export class NotificationsWorker implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly notifying = new Loop(() => this.notifyNext(), {
    everyMs: SWEEP_MS,
    failed: () => this.metrics.failure('notifications'),
  });
  private readonly rotating = new Loop(() => this.rotate(), {
    everyMs: ROTATE_MS,
    failed: () => this.metrics.failure('notification_partitions'),
  });

  constructor(
    private readonly db: Db,
    private readonly relay: OutboxRelay,
    private readonly live: LiveEvents,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.relay.subscribe(new NotificationPlanner(() => this.notifying.wake()));
  }

  async onApplicationBootstrap(): Promise<void> {
    this.rotating.start().wake();
    await this.rotating.drain();
    this.notifying.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.notifying.stop();
    await this.rotating.stop();
  }

  /** Works off one message. @returns false when there was none */
  private async notifyNext(): Promise<boolean> {
    const written = await runInTx(this.db, async (tx) => {
      const job = await claimJob(tx);
      if (!job) return undefined;
      const notifications = await notifyMembers(tx, job);
      await planWebPushes(
        tx,
        job,
        notifications.filter(({ kind }) => kind === 'push'),
      );
      return notifications;
    });
    if (written) await this.tell(written);
    return written !== undefined;
  }

  private async tell(notifications: StoredNotification[]): Promise<void> {
    const [first] = notifications;
    if (!first) return;
    const online = await peopleOnline(
      this.db,
      first.spaceId,
      notifications.map(({ userId }) => userId),
    );
    for (const notification of notifications) {
      if (online.has(notification.userId))
        this.live.toPerson(notification.spaceId, notification.userId, {
          event: 'notification',
          ...notificationView(notification),
        });
    }
  }

  private async rotate(): Promise<void> {
    await runInTx(this.db, async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.notificationPartitions]);
      await rotateDailyPartitions(tx, {
        name: 'notifications',
        column: 'id',
        floor: uuidFloor,
        retentionMs: RETENTION_MS,
      });
    });
  }
}
