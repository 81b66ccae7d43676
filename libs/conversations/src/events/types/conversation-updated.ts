import { Field } from '@tieline/platform/http';
import { ConversationDataView } from './conversation-data.view.js';
import { eventType } from './event-type.js';

/** What can change in a channel. */
export const CONVERSATION_CHANGES = ['name', 'topic', 'purpose', 'unarchived'] as const;
/** One of {@link CONVERSATION_CHANGES}. */
export type ConversationChangeName = (typeof CONVERSATION_CHANGES)[number];

/** `data` of CONVERSATION_UPDATED: the channel after the change. */
export class UpdatedConversationDataView extends ConversationDataView {
  @Field({ example: 'Release 4711' })
  topic: string;

  @Field({ example: 'Plans of releases' })
  purpose: string;

  @Field({ enum: CONVERSATION_CHANGES, isArray: true, example: ['topic'], description: 'what changed' })
  changes: ConversationChangeName[];
}

export const conversationUpdated = eventType({
  event: 'CONVERSATION_UPDATED',
  summary: 'Name, topic or purpose of a channel changed, or it was unarchived',
  data: UpdatedConversationDataView,
  ids: ['conversation_id', 'created_by', 'changes'],
  subscribers: ['bots', 'outgoing webhooks'],
});
