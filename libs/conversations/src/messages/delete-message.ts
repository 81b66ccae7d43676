import { Injectable } from '@nestjs/common';
import type { Tx } from '@tieline/platform/database';
import { appendChatEvent } from '../events/append-event.js';
import { lockConversationOfMessage } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import type { Actor } from '../actors.js';
import type { Refusal, EditRefusal } from '../refusals.js';
import { EditGuard } from '../ports/edit-guard.js';
import { MessageAttachments } from '../ports/message-attachments.js';
import { MessageFeedback } from '../ports/message-feedback.js';
import { findMessageToChange } from './message.queries.js';
import type { Message } from './message.queries.js';
import { deletedMessageData, messageView } from './message.view.js';
import { membershipOf } from '../access/membership.queries.js';
import { personMayRead } from '../access/reading-access.js';
import type { Role } from '@tieline/spaces';
import { DROP_PIN } from './pins/pin.statements.js';
import { DROP_REACTIONS } from './reactions/reaction.statements.js';
import { STORE_DELETION } from './stored-message.statements.js';

/** A deletion by the message's author, or by an owner or admin of the space. */
export interface MessageDeletion {
  spaceId: string;
  messageId: string;
  actor: Actor;
  /** The person's role; absent for bots and for the product. */
  role?: Role;
  /** `answer`: a bot may delete without being a member, because it answers a person's click. */
  access?: 'author' | 'answer';
}

/** Deletes a message in the caller's transaction. */
@Injectable()
export class DeleteMessage {
  constructor(
    private readonly attachments: MessageAttachments,
    private readonly guard: EditGuard,
    private readonly feedback: MessageFeedback,
  ) {}

  /**
   * Clears a message and marks it deleted. Its row and `msg_index` stay; its reactions, files, pin
   * and feedback are removed. Appends MESSAGE_DELETED. Allowed for the author (a bot only as a
   * member), and for owners and admins who can read it. Takes the conversation's row lock until the
   * end of the transaction.
   *
   * @returns nothing, or why it was refused; then nothing was written
   */
  async in(tx: Tx, deletion: MessageDeletion): Promise<Refusal<EditRefusal> | undefined> {
    const { spaceId, messageId, actor } = deletion;
    const conversation = await lockConversationOfMessage(tx, spaceId, messageId);
    const found = conversation && (await findMessageToChange(tx, conversation, messageId));
    if (!found) return { refused: 'unknown_message' };
    const refused = await this.refusal(tx, conversation, found.message, deletion);
    if (refused) return { refused };
    const message = clearMessage(found.message, found.now);
    await store(tx, spaceId, message);
    await this.attachments.drop(tx, spaceId, messageId);
    await this.feedback.drop(tx, spaceId, messageId);
    await appendChatEvent(
      tx,
      conversation,
      { actor, at: found.now },
      {
        event_type: 'MESSAGE_DELETED',
        data: deletedMessageData(message, conversation),
        message: messageView(message),
      },
    );
    return undefined;
  }

  private async refusal(
    tx: Tx,
    conversation: Conversation,
    message: Message,
    { actor, role, access }: MessageDeletion,
  ): Promise<EditRefusal | undefined> {
    const isBot = actor.type === 'bot';
    if (!(await mayDelete(tx, conversation, message, actor, role))) return 'not_author';
    if (isBot && access !== 'answer' && !(await membershipOf(tx, conversation, actor.id)).isMember)
      return 'not_member';
    if (message.deletedAt !== null) return 'deleted';
    const isGuarded = isBot && (await this.guard.isGuarded(tx, conversation.spaceId, message));
    return isGuarded ? 'guarded' : undefined;
  }
}

function clearMessage(message: Message, deletedAt: string): Message {
  return {
    ...message,
    text: '',
    mentions: null,
    metadataJson: null,
    sourceJson: null,
    reactions: null,
    pin: null,
    deletedAt,
  };
}

async function store(tx: Tx, spaceId: string, { id, conversationId, deletedAt }: Message): Promise<void> {
  await tx.query(STORE_DELETION, [spaceId, id, deletedAt]);
  await tx.query(DROP_REACTIONS, [spaceId, id]);
  await tx.query(DROP_PIN, [spaceId, conversationId, id]);
}

async function mayDelete(
  tx: Tx,
  conversation: Conversation,
  message: Message,
  actor: Actor,
  role: Role | undefined,
): Promise<boolean> {
  if (isAuthor(message, actor)) return true;
  if (role !== 'owner' && role !== 'admin') return false;
  const { isMember } = await membershipOf(tx, conversation, actor.id);
  return personMayRead(conversation, isMember, role);
}

/**
 * A message that the product posts for a person, such as a poll, belongs to that person: their id
 * is its `author_id`.
 */
function isAuthor({ authorId, authorType }: Message, { id, type }: Actor): boolean {
  return authorId === id && (authorType === type || (authorType === 'system' && type === 'user'));
}
