import { Module } from '@nestjs/common';
import { BotLimitSettings } from '@tieline/bots';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { IncomingWebhookSettings, OutgoingWebhookSettings } from '@tieline/webhooks';
import { LimitsOperatorController } from './limits/limits.operator-controller.js';

/** What the operator is told that several libs know. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [LimitsOperatorController],
  providers: [BotLimitSettings, IncomingWebhookSettings, OutgoingWebhookSettings],
})
export class OperatorModule {}
