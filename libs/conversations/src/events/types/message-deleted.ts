import { Field } from '@tieline/platform/http';
import { ConversationContextView } from '../conversation-context.view.js';
import { eventType } from './event-type.js';

const MESSAGE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const PERSON = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
const MOMENT = '2026-01-31T09:00:00.123456000Z';

/** `data` of MESSAGE_DELETED. */
export class DeletedMessageDataView {
  @Field({ example: MESSAGE })
  message_id: string;

  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ enum: [''], description: 'always empty' })
  text: '';

  @Field({ example: 42 })
  msg_index: number;

  @Field({ example: PERSON })
  author_id: string;

  @Field({ example: MOMENT })
  sent_at: string;

  @Field({ type: ConversationContextView })
  conversation_context: ConversationContextView;
}

export const messageDeleted = eventType({
  event: 'MESSAGE_DELETED',
  summary: 'A message was deleted',
  data: DeletedMessageDataView,
  dataNote: 'with `payload: thin`, only ids',
  ids: ['message_id', 'conversation_id', 'author_id'],
  subscribers: ['bots', 'outgoing webhooks'],
  streamName: 'message.deleted',
});
