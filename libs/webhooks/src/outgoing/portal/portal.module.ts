import { Module } from '@nestjs/common';
import { TrialsModule } from '@tieline/delivery';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import { RedeliverOutgoing } from '../deliveries/redeliver-outgoing.js';
import { SendTestDelivery } from '../subscriptions/send-test-delivery.js';
import { PortalDeliveriesController } from './deliveries/portal-deliveries.controller.js';
import { PortalLinksModule } from './portal-links.module.js';
import { PortalRate } from './portal-rate.js';
import { PortalController } from './portal.controller.js';

/** Endpoints for holders of a portal link, who have no account. */
@Module({
  imports: [DatabaseModule, SigningModule, HttpModule, RateLimitModule, TrialsModule, PortalLinksModule],
  controllers: [PortalController, PortalDeliveriesController],
  providers: [PortalRate, RedeliverOutgoing, SendTestDelivery],
})
export class PortalModule {}
