import { Field } from '@tieline/platform/http';

const MESSAGE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const PERSON = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
const MOMENT = '2026-01-31T09:00:00.123456000Z';

/** An entry of `context.messages` of outgoing webhooks, in the documented field order. */
export class ContextMessageView {
  @Field({ example: MESSAGE })
  id: string;

  @Field({ example: 'Build 4711 is ready' })
  content: string;

  @Field({ example: PERSON })
  author_id: string;

  @Field({ example: MOMENT })
  created_at: string;

  @Field({ example: MOMENT, optional: true })
  edited_at?: string;
}

class EventContextView {
  @Field({ type: ContextMessageView, isArray: true, description: 'messages before, oldest first' })
  messages: ContextMessageView[];

  @Field({ example: false, description: 'true if the messages could not be read' })
  context_error: boolean;
}

/** Fields that every event has (docs/events.md#envelope). */
export class EventEnvelope {
  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51',
    description: 'the same in every delivery of this event',
  })
  event_id: string;

  @Field({ example: 'MESSAGE_CREATED' })
  event_type: string;

  @Field({ example: '01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41' })
  space_id: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d81',
    optional: true,
    description: 'for apps: the installation that the event belongs to',
  })
  installation_id?: string;

  @Field({ example: CONVERSATION, description: '"" if there is none' })
  conversation_id: string;

  @Field({ example: '', description: 'root message of the thread where it happened, or ""' })
  thread_id: string;

  @Field({ example: PERSON, description: 'the person or bot who did it, or ""' })
  actor_user_id: string;

  @Field({ example: MOMENT })
  occurred_at: string;

  @Field({ example: 1, description: 'raised on breaking changes only' })
  schema_version: number;

  @Field({ type: EventContextView, optional: true, description: 'for subscriptions with `include_context`' })
  context?: EventContextView;
}
