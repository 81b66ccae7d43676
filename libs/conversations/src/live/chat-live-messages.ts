import type { OutboxRecord } from '@tieline/delivery';
import { MEMBERS_CHANGED } from '../events/chat-event.js';
import type { ChatEvent, MembersChanged } from '../events/chat-event.js';
import { chatEventOf } from '../messages/message-created.js';
import type { LiveEvent, LiveMessage } from './live-events.js';

/** Wire names of chat events on streams. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  MESSAGE_CREATED: 'message.new',
  MESSAGE_UPDATED: 'message.edited',
  MESSAGE_DELETED: 'message.deleted',
  REACTION_ADDED: 'reaction.added',
  REACTION_REMOVED: 'reaction.removed',
};

/**
 * Returns the stream message for a committed chat event, or undefined if streams do not carry it.
 */
export function chatLiveMessage(record: OutboxRecord): LiveMessage | undefined {
  const { type, spaceId, payload } = record;
  if (type === MEMBERS_CHANGED)
    return { to: 'membership', space_id: spaceId, member_id: (payload as MembersChanged).member_id };
  const name = WIRE_NAMES[type];
  return name === undefined ? undefined : toChannel(name, chatEventOf(record));
}

function toChannel(name: string, event: ChatEvent): LiveMessage {
  return {
    to: 'channel',
    space_id: event.space_id,
    channel_id: event.channel_id,
    event: liveEvent(name, event),
  };
}

/**
 * Puts the fields of the event's `data` first, in their order, then the other fields of the message
 * view. People's streams and history share this shape. It is a superset of the bots' DM stream.
 */
function liveEvent(event: string, { data, message }: ChatEvent): LiveEvent {
  return { event, ...data, ...message };
}
