import { appendOutbox } from '@tieline/delivery';
import type { RowOf, Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import type { LiveEvent } from '../live-events.js';
import { placeView } from '../places/bot-place.js';
import type { LIST_SHOWN } from './status.statements.js';

/** A status of a bot in a conversation or thread. */
export type BotStatus = RowOf<typeof LIST_SHOWN>;

/** Type of the outbox event for a status that was set or cleared. */
export const STATUS_CHANGED = 'bot.status_changed';

/** Payload of {@link STATUS_CHANGED}. */
export interface StatusChanged {
  place_id: string;
  bot_id: string;
  channel_id: string;
  /** Null if the status was cleared. */
  status_id: string | null;
  expires_at: string;
  event: LiveEvent;
}

/**
 * Appends the change of a status in the caller's transaction. It takes the same way as messages, so
 * that streams show both in order.
 */
export async function appendStatusChanged(tx: Tx, status: BotStatus, isCleared: boolean): Promise<void> {
  const payload: StatusChanged = {
    place_id: status.placeId,
    bot_id: status.botId,
    channel_id: status.channelId,
    status_id: isCleared ? null : status.id,
    expires_at: status.expiresAt.toISOString(),
    event: isCleared ? clearedEvent(status) : statusEvent(status),
  };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId: status.spaceId, type: STATUS_CHANGED, payload });
}

/** Returns the stream event that shows a status: docs/agents.md#status. */
export function statusEvent(status: BotStatus): LiveEvent {
  return {
    event: 'bot.status',
    ...placeView(status),
    bot_id: status.botId,
    text: status.text,
    ...(status.loadingMessages.length > 0 && { loading_messages: status.loadingMessages }),
    expires_at: status.expiresAt.toISOString(),
  };
}

/** Returns the stream event that removes the status of a bot in a place. */
export function clearedEvent(status: Pick<BotStatus, 'placeId' | 'botId' | 'channelId'>): LiveEvent {
  return { event: 'bot.status_cleared', ...placeView(status), bot_id: status.botId };
}
