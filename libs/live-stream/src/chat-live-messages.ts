import type { OutboxRecord } from '@tieline/delivery';
import { chatEvents, THREAD_TITLED } from '@tieline/conversations';
import type { ChatEvent, MembersChanged, ThreadTitled } from '@tieline/conversations';
import type { LiveEvent, LiveMessage } from './live-events.js';

/**
 * Returns the stream message for a committed chat event, or undefined if streams do not carry it.
 */
export function chatLiveMessage(record: OutboxRecord): LiveMessage | undefined {
  const { type, spaceId, payload } = record;
  if (type === chatEvents.membersChanged)
    return { to: 'membership', space_id: spaceId, member_id: (payload as MembersChanged).member_id };
  if (type === THREAD_TITLED) return threadTitled(spaceId, payload as ThreadTitled);
  const name = chatEvents.streamNameOf(type);
  return name === undefined ? undefined : toChannel(name, payload as ChatEvent);
}

function threadTitled(spaceId: string, titled: ThreadTitled): LiveMessage {
  const event = { event: 'thread.updated', ...titled };
  return { to: 'channel', space_id: spaceId, channel_id: titled.conversation_id, event };
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
