import { Module } from '@nestjs/common';
import { MessagesModule } from '@tieline/conversations';
import { IncomingWebhookSettings } from '../webhooks.settings.js';
import { IncomingWebhooksAdminController } from './admin/incoming-webhooks.admin-controller.js';
import { IncomingWebhooksController } from './receive/incoming-webhooks.controller.js';
import { IncomingReceiver } from './receive/incoming-receiver.js';
import { IncomingRequestsAdminController } from './log/incoming-requests.admin-controller.js';
import { RequestLog } from './log/request-log.js';

/** The request log: written with every request, read by admins. */
@Module({ providers: [RequestLog], exports: [RequestLog] })
export class IncomingRequestsModule {}

/** In the api: the addresses that external services post to. */
@Module({
  imports: [MessagesModule, IncomingRequestsModule],
  controllers: [IncomingWebhooksController],
  providers: [IncomingReceiver, IncomingWebhookSettings],
})
export class IncomingWebhooksModule {}

/** The admin endpoints of incoming webhooks; mounted by `@tieline/admin`. */
@Module({
  imports: [IncomingRequestsModule],
  controllers: [IncomingWebhooksAdminController, IncomingRequestsAdminController],
})
export class IncomingWebhooksAdminModule {}
