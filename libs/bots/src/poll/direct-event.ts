import { chatEvents } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { appendOutbox } from '@tieline/delivery';

/** Outbox type of {@link DirectEvent}. */
export const BOT_DIRECT_EVENT = 'bot.direct_event';

/**
 * Events that are sent to one bot only (docs/events.md#direct-events), with the type of the socket
 * envelope that carries them. Those in capital letters depend on the bot's event_types:
 * USER_CREATED and USER_UPDATED when they are planned, the others when they are appended.
 */
export const DIRECT_EVENTS = {
  'button.click': 'interaction',
  'select.submit': 'interaction',
  'modal.submit': 'interaction',
  'modal.closed': 'interaction',
  'modal.options': 'options',
  'slash.command': 'command',
  'command.options': 'options',
  'agent_run.stop_requested': 'event',
  'approval.decided': 'event',
  'shortcut.used': 'event',
  'home.action': 'event',
  DM_OPENED: 'event',
  ASSISTANT_THREAD_STARTED: 'event',
  USER_CREATED: 'event',
  USER_UPDATED: 'event',
} as const;

/**
 * An interaction with Slack blocks, in Slack's format. Only sockets of Slack apps send it, in order
 * of arrival (docs/slack-apps.md#interactions).
 */
export const SLACK_INTERACTION = 'slack.interaction';
export type DirectEventType = keyof typeof DIRECT_EVENTS | typeof SLACK_INTERACTION;

export const DIRECT_EVENT_TYPES = Object.keys(DIRECT_EVENTS) as (keyof typeof DIRECT_EVENTS)[];

/**
 * Direct events that sockets send before all other events. The index `poll_records_urgent` has the
 * same list.
 */
export const URGENT_EVENT_TYPES = DIRECT_EVENT_TYPES.filter((type) => DIRECT_EVENTS[type] !== 'event');

/** An event addressed to one bot. */
export interface DirectEvent {
  spaceId: string;
  botId: string;
  /** For `slash.command`, the trigger id. */
  eventId: string;
  eventType: DirectEventType;
  /** The object of `payload_json`, or its JSON text. */
  payload: object | string;
  /** What happened where, for events that are also pushed. Absent: only queued for polling. */
  envelope?: DirectEnvelope;
}

/** Fields of the envelope of a direct event. */
interface DirectEnvelope {
  conversationId: string;
  /** Root message of the thread, or empty. */
  threadId: string;
  actorUserId: string;
  occurredAt: string;
}

/** Outbox payload of a {@link DirectEvent}. */
export interface DirectEventPayload {
  bot_id: string;
  event_type: DirectEventType;
  /** The text of `payload_json`, as the bot reads it. */
  payload_json: string;
  /** The envelope without `data`, for events that are also pushed. */
  head?: string;
}

/**
 * Appends an event for one bot in the caller's transaction. It is queued if the bot's mode is
 * `poll` at the commit. With an envelope, it is pushed if the mode is `webhook`.
 */
export async function appendDirectEvent(
  tx: Tx,
  { spaceId, botId, eventId, eventType, payload, envelope }: DirectEvent,
): Promise<void> {
  const carried: DirectEventPayload = {
    bot_id: botId,
    event_type: eventType,
    payload_json: typeof payload === 'string' ? payload : JSON.stringify(payload),
    ...(envelope && { head: chatEvents.envelope({ eventId, eventType, spaceId, ...envelope, data: null }) }),
  };
  await appendOutbox(tx, { eventId, spaceId, type: BOT_DIRECT_EVENT, payload: carried });
}

const WITHOUT_DATA = 'null}';

/** Returns the text of an envelope with its data. Both are inserted without parsing. */
export function withData(head: string, data: string): string {
  return `${head.slice(0, -WITHOUT_DATA.length)}${data}}`;
}
