import type { OutboxRecord } from '@tieline/delivery';
import { MEMBERS_CHANGED } from '../events/chat-event.js';
import type { ChatEvent, MembersChanged } from '../events/chat-event.js';
import { chatEventOf } from '../messages/message-created.js';
import type { LiveEvent, LiveMessage } from './live-events.js';

/** Wire names of chat events (decisions, section 8). */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  MESSAGE_CREATED: 'message.new',
  MESSAGE_UPDATED: 'message.edited',
  MESSAGE_DELETED: 'message.deleted',
  REACTION_ADDED: 'reaction.added',
  REACTION_REMOVED: 'reaction.removed',
};

/** What of a committed chat event goes to the streams; undefined when it concerns none. */
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
 * The contract's flat fields first, in its order, then what else the message view has: one shape
 * for people's streams and for history, and a superset of the bots' DM stream.
 */
function liveEvent(event: string, { data, message }: ChatEvent): LiveEvent {
  return { event, ...data, ...message };
}
