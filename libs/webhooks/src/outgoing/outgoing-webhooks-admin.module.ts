import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { MessagesModule } from '@tieline/conversations';
import { SecretBox } from '@tieline/platform/signing';
import { DeliveriesAdminController } from './deliveries/deliveries.admin-controller.js';
import { OUTGOING } from './deliveries/outgoing-kind-name.js';
import { OutgoingWebhooksAdminController } from './subscriptions/outgoing-webhooks.admin-controller.js';
import { redeliverOutgoing } from './deliveries/redeliver-outgoing.js';
import { Redeliveries } from './deliveries/redeliveries.js';

/** The admin endpoints of outgoing webhooks and of deliveries; mounted by `@tieline/admin`. */
@Module({
  imports: [MessagesModule],
  controllers: [OutgoingWebhooksAdminController, DeliveriesAdminController],
  providers: [Redeliveries],
  exports: [Redeliveries],
})
export class OutgoingWebhooksAdminModule implements OnModuleInit {
  constructor(
    private readonly redeliveries: Redeliveries,
    private readonly box: SecretBox,
  ) {}

  onModuleInit(): void {
    this.redeliveries.register(OUTGOING, (db, spaceId, delivery) =>
      redeliverOutgoing(this.box, db, spaceId, delivery),
    );
  }
}
