import type { RowOf, Tx } from '@tieline/platform/database';
import type { LiveEvent } from '../live-events.js';
import { appendLiveEvent } from '../live-outbox.js';
import { placeView } from '../places/bot-place.js';
import type { LIST_PROMPTS } from './prompts.statements.js';
import type { PromptsView } from './prompts.view.js';

/** The prompts of a bot in a conversation or thread. */
export type BotPrompts = RowOf<typeof LIST_PROMPTS>;

/** Shows the change of a bot's prompts on the streams of the channel's members. */
export async function appendPromptsChanged(tx: Tx, changed: BotPrompts): Promise<void> {
  const { spaceId, channelId } = changed;
  await appendLiveEvent(tx, { spaceId, channelId, event: promptsEvent(changed) });
}

/** Returns the stream event that shows prompts, or removes them: docs/agents.md#prompts. */
export function promptsEvent(prompts: BotPrompts): LiveEvent {
  return { event: 'bot.prompts', ...promptsView(prompts) };
}

export function promptsView({ title, prompts, updatedAt, ...place }: BotPrompts): PromptsView {
  return {
    ...placeView(place),
    bot_id: place.botId,
    ...(title !== null && { title }),
    prompts,
    updated_at: updatedAt.toISOString(),
  };
}
