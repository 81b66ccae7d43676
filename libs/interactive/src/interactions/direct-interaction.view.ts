import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';
import { SHORTCUT_TYPES } from '../shortcuts/shortcuts.statements.js';
import type { ShortcutType } from '../shortcuts/shortcuts.statements.js';

const ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const OPTION = { text: { type: 'plain_text', text: 'Production' }, value: 'live' };

class DirectInteractionData {
  @Field({ example: '01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41' })
  space_id: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41', description: 'the person who acted' })
  actor_user_id: string;

  @Field({ example: ID, description: 'of the message; otherwise the direct chat of the person with the bot' })
  conversation_id: string;

  @Field({ example: ID, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: 'tlt_…', description: 'opens one modal' })
  trigger_id: string;

  @Field({ example: '2026-01-31T09:00:00.123000000Z' })
  occurred_at: string;

  @Field({ example: 'tlr_…', description: 'token for a late answer' })
  response_token: string;

  @Field({ example: 'https://chat.example.com/api/v1/bot/responses/tlr_…' })
  response_url: string;
}

class ShortcutUsedData extends DirectInteractionData {
  @Field({ enum: ['shortcut.used'] })
  event_type: 'shortcut.used';

  @Field({ example: 'new_ticket', description: "the bot's name of the shortcut" })
  callback_id: string;

  @Field({ enum: SHORTCUT_TYPES, example: 'message' })
  shortcut_type: ShortcutType;

  @Field({ example: ID, optional: true, description: 'for type `message`: the message' })
  message_id?: string;
}

class HomeActionData extends DirectInteractionData {
  @Field({ enum: ['home.action'] })
  event_type: 'home.action';

  @Field({ example: 'deploy' })
  block_id: string;

  @Field({ example: 'stage' })
  action_id: string;

  @Field({ example: 'static_select', description: 'type of the element' })
  element_type: string;

  @Field({
    example: { selected_option: OPTION },
    description: 'what was chosen, with the field of the element; for a button its `value`',
  })
  value: Record<string, unknown>;

  @Field({
    example: { deploy: { stage: { type: 'static_select', selected_option: OPTION } } },
    description: 'values of all elements, by `block_id` and `action_id`',
  })
  state: Record<string, Record<string, unknown>>;

  @Field({ example: '2.5b1c0d41', description: 'version of the home that the person saw' })
  hash: string;
}

/** Sent to the bot of a shortcut that a person uses. */
export const shortcutUsed = chatEvents.declare({
  event: 'shortcut.used',
  summary: 'A person used a shortcut of a bot',
  data: ShortcutUsedData,
  ids: ['callback_id'],
  subscribers: [],
});

/** Sent to the bot of a home that a person uses. */
export const homeAction = chatEvents.declare({
  event: 'home.action',
  summary: 'A person used an element of the home of a bot',
  data: HomeActionData,
  ids: ['block_id', 'action_id'],
  subscribers: [],
});
