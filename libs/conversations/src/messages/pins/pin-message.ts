import { Injectable } from '@nestjs/common';
import type { Tx } from '@tieline/platform/database';
import { isMember } from '../../access/membership.queries.js';
import { lockConversationOfMessage } from '../../conversation.queries.js';
import type { Conversation } from '../../conversation.queries.js';
import { appendChatEvent } from '../../events/append-event.js';
import { MessageAttachments } from '../../ports/message-attachments.js';
import type { Actor } from '../../actors.js';
import type { Refusal, PinRefusal } from '../../refusals.js';
import { findMessageToChange } from '../message.queries.js';
import type { Message } from '../message.queries.js';
import { messageData, messageView } from '../message.view.js';
import { MARK_CHANGED } from '../stored-message.statements.js';
import { ADD_PIN, DROP_PIN } from './pin.statements.js';

/** A message to pin or unpin, and who does it. */
export interface PinChange {
  spaceId: string;
  messageId: string;
  actor: Actor;
}

/** Maximum number of pins in one conversation. A thread counts separately. */
const MAX_PINS = 100;

/** Pins messages in the caller's transaction. */
@Injectable()
export class PinMessage {
  constructor(private readonly attachments: MessageAttachments) {}

  /**
   * Pins or unpins a message and appends MESSAGE_UPDATED. If the message already has that state,
   * changes nothing and emits no event. Every member may unpin what another member pinned. Takes
   * the conversation's row lock until the end of the transaction.
   *
   * @returns whether anything changed, or why it was refused
   */
  async in(
    tx: Tx,
    change: 'pin' | 'unpin',
    { spaceId, messageId, actor }: PinChange,
  ): Promise<{ changed: boolean } | Refusal<PinRefusal>> {
    const conversation = await lockConversationOfMessage(tx, spaceId, messageId);
    const found = conversation && (await findMessageToChange(tx, conversation, messageId));
    if (!found) return { refused: 'unknown_message' };
    const refused = await refusal(tx, conversation, found.message, actor);
    if (refused) return { refused };
    if ((found.message.pin !== null) === (change === 'pin')) return { changed: false };
    const pin = change === 'pin' ? { at: found.now, by: actor.id } : null;
    const message = { ...found.message, pin };
    if (!(await store(tx, spaceId, message, found.now))) return { refused: 'too_many_pins' };
    await this.appendUpdate(tx, conversation, message, { actor, at: found.now });
    return { changed: true };
  }

  private async appendUpdate(
    tx: Tx,
    conversation: Conversation,
    message: Message,
    occurrence: { actor: Actor; at: string },
  ): Promise<void> {
    const files = await this.attachments.of(tx, conversation.spaceId, [message.id]);
    await appendChatEvent(tx, conversation, occurrence, {
      event_type: 'MESSAGE_UPDATED',
      data: { ...messageData(message, conversation), changes: ['pin'] },
      message: messageView(message, files.get(message.id)),
    });
  }
}

async function refusal(
  tx: Tx,
  { spaceId, channelId, archivedAt }: Conversation,
  { deletedAt }: Message,
  actor: Actor,
): Promise<PinRefusal | undefined> {
  if (!(await isMember(tx, spaceId, channelId, actor.id))) return 'not_member';
  if (archivedAt !== null) return 'archived';
  return deletedAt === null ? undefined : 'deleted';
}

/** @returns false if the conversation has reached the maximum number of pins */
async function store(
  tx: Tx,
  spaceId: string,
  { id, conversationId, pin }: Message,
  now: string,
): Promise<boolean> {
  if (pin) {
    const [there] = await tx.query(ADD_PIN, {
      ...{ spaceId, conversationId, messageId: id },
      ...{ pinnedBy: pin.by, pinnedAt: pin.at, maxPins: MAX_PINS },
    });
    if (there?.room !== true) return false;
  } else await tx.query(DROP_PIN, [spaceId, conversationId, id]);
  await tx.query(MARK_CHANGED, [spaceId, id, now]);
  return true;
}
