import type { OutboxRecord } from '@tieline/delivery';
import { MEMBERS_CHANGED } from '../events/chat-event.js';
import type { ChatEvent, MembersChanged } from '../events/chat-event.js';
import type { LiveEvent, LiveMessage } from './live-events.js';

/** Turns a committed event into what goes to the streams; undefined when it concerns none. */
export type LiveSource<Payload = unknown> = (record: OutboxRecord<Payload>) => LiveMessage | undefined;

const sources = new Map<string, LiveSource>();

/**
 * Makes the outbox events of one type visible in the streams. Called once per type, at module level, by the lib that
 * appends them. @throws Error when the type has a source already
 */
export function registerLiveSource<Payload>(type: string, source: LiveSource<Payload>): void {
  if (sources.has(type)) throw new Error(`${type} has a live source already`);
  sources.set(type, source as LiveSource);
}

/** What of a committed event goes to the streams. */
export function toLive(record: OutboxRecord): LiveMessage | undefined {
  return sources.get(record.type)?.(record);
}

/** Wire names of chat events (decisions, section 8). */
const MESSAGE_EVENTS = {
  MESSAGE_CREATED: 'message.new',
  MESSAGE_UPDATED: 'message.edited',
  MESSAGE_DELETED: 'message.deleted',
} as const;
const REACTION_EVENTS = { REACTION_ADDED: 'reaction.added', REACTION_REMOVED: 'reaction.removed' } as const;

for (const [type, event] of Object.entries({ ...MESSAGE_EVENTS, ...REACTION_EVENTS })) {
  registerLiveSource<ChatEvent>(type, ({ payload }) => ({
    to: 'channel',
    space_id: payload.space_id,
    channel_id: payload.channel_id,
    event: liveEvent(event, payload),
  }));
}

registerLiveSource<MembersChanged>(MEMBERS_CHANGED, ({ spaceId, payload }) => ({
  to: 'membership',
  space_id: spaceId,
  member_id: payload.member_id,
}));

/**
 * The contract's flat fields first, in its order, then what else the message view has: one shape for people's streams
 * and for history, and a superset of the bots' DM stream.
 */
function liveEvent(event: string, { data, message }: ChatEvent): LiveEvent {
  return { event, ...data, ...message };
}
