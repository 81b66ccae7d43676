import { Module } from '@nestjs/common';
import { BotsAdminModule, PUSH, redeliverPush } from '@tieline/bots';
import { InteractiveAdminModule } from '@tieline/interactive';
import { SlashAdminModule } from '@tieline/slash';
import { SpacesAdminModule } from '@tieline/spaces';
import { IncomingWebhooksAdminModule, OutgoingWebhooksAdminModule } from '@tieline/webhooks';

/** Mounts every lib's admin endpoints (decisions, section 7). */
@Module({
  imports: [
    SpacesAdminModule,
    BotsAdminModule,
    InteractiveAdminModule,
    SlashAdminModule,
    IncomingWebhooksAdminModule,
    // One endpoint sends deliveries of every kind again; the features that make them don't know each other.
    OutgoingWebhooksAdminModule.redelivering({ [PUSH]: redeliverPush }),
  ],
})
export class AdminModule {}
