import { Module } from '@nestjs/common';
import { IncomingWebhookSettings } from '../webhooks.settings.js';
import { IncomingDoor } from './door/incoming-door.js';
import { IncomingWebhooksAdminController } from './admin/incoming-webhooks.admin-controller.js';
import { IncomingWebhooksController } from './door/incoming-webhooks.controller.js';
import { RequestLog } from './log/request-log.js';

/** The request log, which the door writes and admins read. */
@Module({ providers: [RequestLog], exports: [RequestLog] })
export class IncomingRequestsModule {}

/** In the api: the addresses that external services post to. */
@Module({
  imports: [IncomingRequestsModule],
  controllers: [IncomingWebhooksController],
  providers: [IncomingDoor, IncomingWebhookSettings],
})
export class IncomingWebhooksModule {}

/** The admin endpoints of incoming webhooks; mounted by `@tieline/admin`. */
@Module({ imports: [IncomingRequestsModule], controllers: [IncomingWebhooksAdminController] })
export class IncomingWebhooksAdminModule {}
