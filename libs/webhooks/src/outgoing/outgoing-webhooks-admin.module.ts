import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { EgressModule } from '@tieline/egress';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import { DatabaseModule } from '@tieline/platform/database';
import { TrialsModule } from '@tieline/delivery';
import { MessagesModule } from '@tieline/conversations';
import { SpaceLimitSettings } from '@tieline/spaces';
import { RotateWebhookSecret } from '../rotate-webhook-secret.js';
import { DeliveriesAdminController } from './deliveries/deliveries.admin-controller.js';
import { OutgoingDeliveriesAdminController } from './deliveries/outgoing-deliveries.admin-controller.js';
import { RedeliverOutgoing } from './deliveries/redeliver-outgoing.js';
import { OTHER_KINDS, Redeliveries } from './deliveries/redeliveries.js';
import type { Redeliver } from './deliveries/redeliveries.js';
import { PortalLinkAdminController } from './portal/portal-link.admin-controller.js';
import { PortalLinksModule } from './portal/portal-links.module.js';
import { OutgoingRecoveriesAdminController } from './recoveries/outgoing-recoveries.admin-controller.js';
import { RecoveriesAdminController } from './recoveries/recoveries.admin-controller.js';
import { CreateOutgoingWebhook } from './subscriptions/create-outgoing-webhook.js';
import { OutgoingWebhooksAdminController } from './subscriptions/outgoing-webhooks.admin-controller.js';
import { SendTestDelivery } from './subscriptions/send-test-delivery.js';
import { UpdateOutgoingWebhook } from './subscriptions/update-outgoing-webhook.js';

/** The admin endpoints of outgoing webhooks and of deliveries; mounted by `@tieline/admin`. */
@Module({
  imports: [
    DatabaseModule,
    SigningModule,
    EgressModule,
    HttpModule,
    MessagesModule,
    TrialsModule,
    RateLimitModule,
    PortalLinksModule,
  ],
  controllers: [
    OutgoingWebhooksAdminController,
    OutgoingDeliveriesAdminController,
    DeliveriesAdminController,
    OutgoingRecoveriesAdminController,
    RecoveriesAdminController,
    PortalLinkAdminController,
  ],
  providers: [
    CreateOutgoingWebhook,
    UpdateOutgoingWebhook,
    RotateWebhookSecret,
    SendTestDelivery,
    RedeliverOutgoing,
    Redeliveries,
    SpaceLimitSettings,
  ],
})
export class OutgoingWebhooksAdminModule {
  /** @param others redelivery functions of other delivery kinds, by kind */
  static redelivering(others: Readonly<Record<string, Redeliver>>): DynamicModule {
    return {
      module: OutgoingWebhooksAdminModule,
      providers: [{ provide: OTHER_KINDS, useValue: others }],
    };
  }
}
