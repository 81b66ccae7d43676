import { Module } from '@nestjs/common';
import { BotLimitSettings } from '@tieline/bots';
import { ChannelLimitSettings } from '@tieline/conversations';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { PeopleLimitSettings } from '@tieline/spaces';
import { IncomingWebhookSettings, OutgoingWebhookSettings } from '@tieline/webhooks';
import { LimitsOperatorController } from './limits/limits.operator-controller.js';

/** Operator endpoints that combine data of several libs. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [LimitsOperatorController],
  providers: [
    BotLimitSettings,
    ChannelLimitSettings,
    IncomingWebhookSettings,
    OutgoingWebhookSettings,
    PeopleLimitSettings,
  ],
})
export class OperatorModule {}
