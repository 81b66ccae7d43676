import { appendOutbox } from '@tieline/delivery';
import type { OutboxRecord } from '@tieline/delivery';
import type { RowOf, Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { LiveEvent, LiveMessage } from '../live-events.js';
import { placeView } from '../places/bot-place.js';
import type { LIST_PROMPTS } from './prompts.statements.js';
import type { PromptsView } from './prompts.view.js';

/** The prompts of a bot in a conversation or thread. */
export type BotPrompts = RowOf<typeof LIST_PROMPTS>;

/** Type of the outbox event for prompts that were set, replaced or removed. */
const PROMPTS_CHANGED = 'bot.prompts_changed';

/** Payload of {@link PROMPTS_CHANGED}. */
interface PromptsChanged {
  channel_id: string;
  event: LiveEvent;
}

/** Appends the change of a bot's prompts in the caller's transaction. */
export async function appendPromptsChanged(tx: Tx, changed: BotPrompts): Promise<void> {
  const payload: PromptsChanged = { channel_id: changed.channelId, event: promptsEvent(changed) };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId: changed.spaceId, type: PROMPTS_CHANGED, payload });
}

/** Returns the stream message for a change of prompts, or undefined for other events. */
export function promptsMessage({ type, spaceId, payload }: OutboxRecord): LiveMessage | undefined {
  if (type !== PROMPTS_CHANGED) return undefined;
  const { channel_id, event } = payload as PromptsChanged;
  return { to: 'channel', space_id: spaceId, channel_id, event };
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
