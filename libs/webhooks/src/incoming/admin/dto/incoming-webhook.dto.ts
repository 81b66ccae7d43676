import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { INCOMING_REQUEST } from '../incoming-webhook.js';

/** Body of POST /api/v1/admin/incoming_webhooks. */
@BodyExample('a webhook', { name: 'Alerts', conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001' })
export class CreateIncomingWebhookDto extends bodyOf(INCOMING_REQUEST, 'create') {}

/** Body of PATCH /api/v1/admin/incoming_webhooks/{id}. Absent and null fields stay unchanged. */
@BodyExample('another name', { name: 'Alerts' })
export class UpdateIncomingWebhookDto extends bodyOf(INCOMING_REQUEST, 'update') {}
