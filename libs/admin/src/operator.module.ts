import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { SpaceLimitSettings } from '@tieline/spaces';
import { OutgoingWebhookSettings } from '@tieline/webhooks';
import { LimitsOperatorController } from './limits/limits.operator-controller.js';

/** Operator endpoints that combine data of several libs. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [LimitsOperatorController],
  providers: [OutgoingWebhookSettings, SpaceLimitSettings],
})
export class OperatorModule {}
