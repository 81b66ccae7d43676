import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { BotsAdminModule, PUSH, redeliverPush } from '@tieline/bots';
import { SpacesAdminModule } from '@tieline/spaces';
import { IncomingWebhooksAdminModule, OutgoingWebhooksAdminModule, Redeliveries } from '@tieline/webhooks';

/** Mounts every lib's admin endpoints (decisions, section 7). */
@Module({
  imports: [SpacesAdminModule, BotsAdminModule, IncomingWebhooksAdminModule, OutgoingWebhooksAdminModule],
})
export class AdminModule implements OnModuleInit {
  constructor(private readonly redeliveries: Redeliveries) {}

  /** One endpoint sends deliveries of every kind again; the features that make them do not know each other. */
  onModuleInit(): void {
    this.redeliveries.register(PUSH, redeliverPush);
  }
}
