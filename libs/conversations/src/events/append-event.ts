import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { MEMBERS_CHANGED } from './chat-event.js';
import type { MemberEvent, MembersChanged } from './chat-event.js';
import { chatEvent } from './make-chat-event.js';
import type { EventContent, Occurrence } from './make-chat-event.js';
import type { MemberType } from '../actors.js';
import type { EventPlace } from './event-conversation.js';

/**
 * Appends a chat event. The caller holds the conversation's row lock and read `conversation` under
 * it.
 */
export async function appendChatEvent(
  tx: Tx,
  conversation: EventPlace,
  occurrence: Occurrence,
  content: EventContent,
): Promise<void> {
  await appendChatEvents(tx, conversation, [{ occurrence, content }]);
}

/** Like {@link appendChatEvent}, for several events of the conversation in this order. */
export async function appendChatEvents(
  tx: Tx,
  conversation: EventPlace,
  events: readonly { occurrence: Occurrence; content: EventContent }[],
): Promise<void> {
  const made = events.map(({ occurrence, content }) =>
    chatEvent(uuidv7(), conversation, occurrence, content),
  );
  await appendOutbox(
    tx,
    ...made.map((event) => ({
      eventId: event.event_id,
      spaceId: event.space_id,
      type: event.event_type,
      payload: event,
    })),
  );
}

/** A person or bot that joined or left. */
export interface MemberChange {
  id: string;
  type: MemberType;
  /** RFC 3339, UTC. */
  at: string;
}

/**
 * The conversation of a membership change and who made it. Direct chats emit no public member
 * event.
 */
export interface MembersPlace {
  conversation: EventPlace;
  actor: Occurrence['actor'];
}

/**
 * Appends an event for each member that joined or left. The caller holds the conversation's row
 * lock and read `conversation` under it.
 */
export async function appendMembersChanged(
  tx: Tx,
  { spaceId, conversationId, joined }: { spaceId: string; conversationId: string; joined: boolean },
  members: readonly MemberChange[],
  place?: MembersPlace,
): Promise<void> {
  await appendOutbox(
    tx,
    ...members.map((member) => {
      const eventId = uuidv7();
      const data = { conversation_id: conversationId, member_id: member.id, member_type: member.type };
      const event = place && memberEvent(eventId, joined ? 'MEMBER_JOINED' : 'MEMBER_LEFT', member, place);
      const payload: MembersChanged = { ...data, joined, ...(event && { event }) };
      return { eventId, spaceId, type: MEMBERS_CHANGED, payload };
    }),
  );
}

/** A bot receives the event when it joins or leaves, also in private channels. */
function memberEvent(
  eventId: string,
  event_type: MemberEvent['event_type'],
  { id, type, at }: MemberChange,
  { conversation, actor }: MembersPlace,
): MemberEvent {
  const botIds = type === 'bot' ? [...new Set([...conversation.botIds, id])] : conversation.botIds;
  const data = { conversation_id: conversation.id, member_id: id, member_type: type };
  return chatEvent(eventId, { ...conversation, botIds }, { actor, at }, { event_type, data }) as MemberEvent;
}
