import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';

class AssistantThreadStartedData {
  @Field({ enum: ['ASSISTANT_THREAD_STARTED'] })
  event_type: 'ASSISTANT_THREAD_STARTED';

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42', description: 'the direct chat' })
  conversation_id: string;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43',
    description: 'the root message of the thread, which Tieline posted as the bot',
  })
  thread_id: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41', description: 'the person who opened the chat' })
  user_id: string;

  @Field({ example: '2026-01-31T09:00:02.345Z' })
  started_at: string;
}

/** Sent to a bot that has the type in its event_types when a thread was started for a person. */
export const assistantThreadStarted = chatEvents.declare({
  event: 'ASSISTANT_THREAD_STARTED',
  summary: "A person opened the bot's direct chat, and a thread was started there for them",
  data: AssistantThreadStartedData,
  ids: ['conversation_id', 'thread_id', 'user_id'],
  subscribers: ['bots'],
});
