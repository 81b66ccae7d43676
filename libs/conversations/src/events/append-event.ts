import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { MEMBERS_CHANGED } from './chat-event.js';
import type { MembersChanged } from './chat-event.js';
import { chatEvent } from './make-chat-event.js';
import type { EventContent, Occurrence } from './make-chat-event.js';
import type { EventPlace } from '../conversation.view.js';

/** Appends a chat event. The caller holds the conversation's row lock, and `conversation` was read under it. */
export async function appendChatEvent(
  tx: Tx,
  conversation: EventPlace,
  occurrence: Occurrence,
  content: EventContent,
): Promise<void> {
  const event = chatEvent(uuidv7(), conversation, occurrence, content);
  await appendOutbox(tx, {
    eventId: event.event_id,
    spaceId: event.space_id,
    type: event.event_type,
    payload: event,
  });
}

/** Appends who came and went. The caller holds the conversation's row lock. */
export async function appendMembersChanged(
  tx: Tx,
  spaceId: string,
  changes: readonly MembersChanged[],
): Promise<void> {
  await appendOutbox(
    tx,
    ...changes.map((payload) => ({ eventId: uuidv7(), spaceId, type: MEMBERS_CHANGED, payload })),
  );
}
