import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';

class DmOpenedData {
  @Field({ enum: ['DM_OPENED'] })
  event_type: 'DM_OPENED';

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42', description: 'the direct chat' })
  conversation_id: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41', description: 'the person who opened it' })
  user_id: string;

  @Field({ example: '2026-01-31T09:00:02.345Z' })
  opened_at: string;

  @Field({ enum: ['home'], optional: true, description: 'set for the home of the bot instead of the chat' })
  tab?: 'home';
}

/** Sent to a bot that has the type in its event_types when a person opens its direct chat. */
export const dmOpened = chatEvents.declare({
  event: 'DM_OPENED',
  summary: "A person opened the bot's direct chat",
  data: DmOpenedData,
  ids: ['conversation_id', 'user_id'],
  subscribers: ['bots'],
});
