import { Module } from '@nestjs/common';
import { BotsAdminModule } from '@tieline/bots';
import { SpacesAdminModule } from '@tieline/spaces';
import { OutgoingWebhooksAdminModule } from '@tieline/webhooks';

/** Mounts every lib's admin endpoints (decisions, section 7). */
@Module({ imports: [SpacesAdminModule, BotsAdminModule, OutgoingWebhooksAdminModule] })
export class AdminModule {}
