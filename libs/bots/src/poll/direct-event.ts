import type { Tx } from '@tieline/platform/database';
import { appendOutbox } from '@tieline/delivery';

/** Outbox type of {@link DirectEvent}. */
export const BOT_DIRECT_EVENT = 'bot.direct_event';

/**
 * Events that are sent to one bot only, whatever its event_types (docs/events.md#direct-events).
 */
export const DIRECT_EVENT_TYPES = [
  'button.click',
  'select.submit',
  'modal.submit',
  'modal.closed',
  'modal.options',
  'slash.command',
  'command.options',
] as const;

/** One of {@link DIRECT_EVENT_TYPES}. */
export type DirectEventType = (typeof DIRECT_EVENT_TYPES)[number];

/** An event addressed to one bot. */
export interface DirectEvent {
  spaceId: string;
  botId: string;
  /** For `slash.command`, the trigger id. */
  eventId: string;
  eventType: DirectEventType;
  /** The object of `payload_json`, or its JSON text. */
  payload: object | string;
}

/** Outbox payload of a {@link DirectEvent}. */
export interface DirectEventPayload {
  bot_id: string;
  event_type: DirectEventType;
  /** The text of `payload_json`, as the bot reads it. */
  payload_json: string;
}

/**
 * Appends an event for one bot in the caller's transaction. It is queued if the bot's mode is
 * `poll` at the commit.
 */
export async function appendDirectEvent(
  tx: Tx,
  { spaceId, botId, eventId, eventType, payload }: DirectEvent,
): Promise<void> {
  const carried: DirectEventPayload = {
    bot_id: botId,
    event_type: eventType,
    payload_json: typeof payload === 'string' ? payload : JSON.stringify(payload),
  };
  await appendOutbox(tx, { eventId, spaceId, type: BOT_DIRECT_EVENT, payload: carried });
}
