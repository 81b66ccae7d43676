import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import type { RowOf } from '@tieline/platform/database';
import type { LIST_SCHEDULED } from './scheduled-messages.statements.js';

/** A message that a bot wants posted later. */
export class ScheduledMessageView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51' })
  id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;

  @Field({ example: '2026-11-30T09:00:00.000Z' })
  post_at: string;

  @Field({ enum: ['scheduled', 'failed'], example: 'scheduled' })
  state: 'scheduled' | 'failed';

  @Field({ optional: true, example: 'conversation_archived', description: 'why it was not posted' })
  error_code?: string;

  @Field({ example: 'Standup in five minutes' })
  content: string;

  @Field({ optional: true, example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42' })
  parent_message_id?: string;

  @Field({ optional: true, example: '{"version":1}' })
  metadata_json?: string;

  @Field({ optional: true, example: 'Standup' })
  display_name?: string;

  @Field({ optional: true, example: 'https://example.com/standup.png' })
  display_avatar_url?: string;

  @Field({ example: '2026-11-27T09:00:00.000Z' })
  created_at: string;
}

export class ScheduledMessageAnswer extends OkAnswer {
  @Field({ type: ScheduledMessageView })
  scheduled_message: ScheduledMessageView;
}

export class ScheduledMessagesPage extends PageAnswer {
  @Field({ type: ScheduledMessageView, isArray: true })
  scheduled_messages: ScheduledMessageView[];
}

/** Returns a scheduled message as its bot sees it. */
export function scheduledMessageView(row: RowOf<typeof LIST_SCHEDULED>): ScheduledMessageView {
  const { parentMessageId, metadataJson, displayName, displayAvatarUrl, errorCode } = row;
  return {
    id: row.id,
    conversation_id: row.conversationId,
    post_at: row.postAt.toISOString(),
    state: errorCode === null ? 'scheduled' : 'failed',
    ...(errorCode !== null && { error_code: errorCode }),
    content: row.content,
    ...(parentMessageId !== null && { parent_message_id: parentMessageId }),
    ...(metadataJson !== null && { metadata_json: metadataJson }),
    ...(displayName !== null && { display_name: displayName }),
    ...(displayAvatarUrl !== null && { display_avatar_url: displayAvatarUrl }),
    created_at: row.createdAt.toISOString(),
  };
}
