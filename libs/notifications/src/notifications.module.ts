import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { EgressModule } from '@tieline/egress';
import { BusModule } from '@tieline/live';
import { DatabaseModule, Db } from '@tieline/platform/database';
import { PlatformSettings } from '@tieline/platform/config';
import { DeliveryKinds, RelayModule, DeliveryModule } from '@tieline/delivery';
import { QueueWorkerModule } from '@tieline/queue';
import { SecretBox, SigningModule } from '@tieline/signing';
import { NotificationMetrics } from './notifications.metrics.js';
import { ChatEventsModule } from '@tieline/conversations';
import { LiveEvents } from '@tieline/live-stream';
import { NotificationsClientController } from './notifications.client-controller.js';
import {
  NOTIFICATION_PARTITIONS,
  NotificationPartitionsProcessor,
} from './notification-partitions.processor.js';
import { NotificationObserver } from './notification-observer.js';
import { NotificationsWorker } from './notifications.worker.js';
import { PushKeyClientController } from './push/push-key.client-controller.js';
import { PushSubscriptionsClientController } from './push/push-subscriptions.client-controller.js';
import { vapidKeys } from './push/vapid-keys.js';
import { vapidSubject, WebPushDeliveries } from './push/web-push-kind.js';

/** For the api: people's notifications and devices. */
@Module({
  imports: [DatabaseModule, SigningModule, EgressModule, HttpModule],
  controllers: [NotificationsClientController, PushKeyClientController, PushSubscriptionsClientController],
})
export class NotificationsModule {}

/** For workers: creates notifications and plans their pushes. */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    RelayModule,
    ChatEventsModule,
    SigningModule,
    DeliveryModule,
    QueueWorkerModule,
    BullModule.registerQueue({ name: NOTIFICATION_PARTITIONS }),
  ],
  providers: [
    LiveEvents,
    NotificationMetrics,
    NotificationObserver,
    NotificationsWorker,
    NotificationPartitionsProcessor,
  ],
})
export class NotificationsWorkerModule implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly settings: PlatformSettings,
    private readonly box: SecretBox,
    private readonly kinds: DeliveryKinds,
  ) {}

  onModuleInit(): void {
    this.kinds.register(
      new WebPushDeliveries(() => vapidKeys(this.db, this.box), vapidSubject(this.settings.publicUrl)),
    );
  }
}
