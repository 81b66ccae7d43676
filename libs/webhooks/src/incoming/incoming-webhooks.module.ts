import { Module } from '@nestjs/common';
import { RateLimitModule } from '@tieline/rate-limit';
import { HttpModule } from '@tieline/platform/http';
import { SigningModule } from '@tieline/signing';
import { DatabaseModule } from '@tieline/platform/database';
import { MessagesModule } from '@tieline/conversations';
import { SpaceLimitSettings } from '@tieline/spaces';
import { RotateWebhookSecret } from '../rotate-webhook-secret.js';
import { IncomingWebhookSettings } from '../webhooks.settings.js';
import { IncomingMetrics } from './incoming.metrics.js';
import { CreateIncomingWebhook } from './admin/create-incoming-webhook.js';
import { IncomingWebhooksAdminController } from './admin/incoming-webhooks.admin-controller.js';
import { UpdateIncomingWebhook } from './admin/update-incoming-webhook.js';
import { PostKeyed } from './keyed/post-keyed.js';
import { DeleteIncoming, EditIncoming } from './receive/change-message.js';
import { IncomingWebhooksController } from './receive/incoming-webhooks.controller.js';
import { IncomingReceiver } from './receive/incoming-receiver.js';
import { PostIncoming } from './receive/post-incoming.js';
import { IncomingRequestsAdminController } from './requests/incoming-requests.admin-controller.js';
import { RequestLog } from './requests/request-log.js';

/** The request log. The api process writes it with every request, admins read it. */
@Module({ imports: [DatabaseModule], providers: [RequestLog], exports: [RequestLog] })
class IncomingRequestsModule {}

/** The addresses that external services post to. Runs in the api process. */
@Module({
  imports: [
    DatabaseModule,
    SigningModule,
    RateLimitModule,
    HttpModule,
    MessagesModule,
    IncomingRequestsModule,
  ],
  controllers: [IncomingWebhooksController],
  providers: [
    IncomingReceiver,
    PostIncoming,
    PostKeyed,
    EditIncoming,
    DeleteIncoming,
    IncomingMetrics,
    IncomingWebhookSettings,
  ],
})
export class IncomingWebhooksModule {}

/** The admin endpoints of incoming webhooks; mounted by `@tieline/admin`. */
@Module({
  imports: [DatabaseModule, SigningModule, HttpModule, IncomingRequestsModule],
  controllers: [IncomingWebhooksAdminController, IncomingRequestsAdminController],
  providers: [CreateIncomingWebhook, UpdateIncomingWebhook, RotateWebhookSecret, SpaceLimitSettings],
})
export class IncomingWebhooksAdminModule {}
