import { ApiExtraModels } from '@nestjs/swagger';
import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { SUBSCRIPTION } from '../subscription.js';
import { KeywordsConfigDto, MentionConfigDto } from './trigger-config.dto.js';

/** Body of POST /api/v1/admin/outgoing_webhooks. */
@ApiExtraModels(KeywordsConfigDto, MentionConfigDto)
@BodyExample('new messages', {
  name: 'Deploy log',
  url: 'https://receiver.example/hook',
  event_types: ['MESSAGE_CREATED'],
})
export class CreateOutgoingWebhookDto extends bodyOf(SUBSCRIPTION, 'create') {}

/** Body of PATCH /api/v1/admin/outgoing_webhooks/{id}. Absent and null fields stay unchanged. */
@BodyExample('disable', { status: 'inactive' })
export class UpdateOutgoingWebhookDto extends bodyOf(SUBSCRIPTION, 'update') {}
