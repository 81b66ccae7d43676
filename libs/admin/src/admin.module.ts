import { Module } from '@nestjs/common';
import { ApprovalsAdminModule } from '@tieline/approvals';
import { AppManifestsModule } from '@tieline/app-manifests';
import { APP_DELIVERY, AppsAdminModule, redeliverAppEvent } from '@tieline/apps';
import { BotsAdminModule, PUSH, redeliverPush } from '@tieline/bots';
import { InteractiveAdminModule } from '@tieline/interactive';
import { SlashAdminModule } from '@tieline/slash';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { SpacesAdminModule } from '@tieline/spaces';
import { DeliverySettings } from '@tieline/delivery';
import {
  IncomingWebhooksAdminModule,
  IncomingWebhookSettings,
  OutgoingWebhooksAdminModule,
} from '@tieline/webhooks';
import { FailuresAdminController } from './failures/failures.admin-controller.js';
import { DeliveryStatsAdminController } from './delivery-stats/delivery-stats.admin-controller.js';

/** Mounts the admin endpoints of every lib. */
@Module({
  imports: [
    DatabaseModule,
    HttpModule,
    SpacesAdminModule,
    BotsAdminModule,
    ApprovalsAdminModule,
    AppsAdminModule,
    AppManifestsModule,
    InteractiveAdminModule,
    SlashAdminModule,
    IncomingWebhooksAdminModule,
    // One endpoint redelivers deliveries of every kind, because the features that create them don't
    // know each other.
    OutgoingWebhooksAdminModule.redelivering({
      [PUSH]: redeliverPush,
      [APP_DELIVERY]: redeliverAppEvent,
    }),
  ],
  controllers: [DeliveryStatsAdminController, FailuresAdminController],
  providers: [DeliverySettings, IncomingWebhookSettings],
})
export class AdminModule {}
