import { Injectable } from '@nestjs/common';
import { OUTBOX } from '@tieline/delivery';
import type { Queryable, Tx } from '@tieline/platform/database';
import { traceparent } from '@tieline/platform/tracing';
import { uuidv7 } from 'uuidv7';
import type { MessageNotice } from '../events/chat-event.js';
import type { Actor } from '../actors.js';
import { findMentions } from './mentions/mentions.js';
import { MemberDirectory } from '../members/member-directory.js';
import type { Attachments } from '../ports/message-attachments.js';
import { POST_IF_FREE, POST_TO_CHANNEL, POST_TO_THREAD } from './message.statements.js';
import { openThread, resolveReply } from './threads/open-thread.js';
import { sendingAccess } from '../access/sending-access.js';
import type { Refusal, MessageRefusal } from '../refusals.js';

/** A message to post. The caller checks lengths, metadata and files. */
export interface NewMessage {
  spaceId: string;
  /** A channel, voice chat, direct chat or thread. */
  conversationId: string;
  author: Actor;
  text: string;
  /** Posts the message as a reply in the thread of this message. */
  parentMessageId?: string;
  metadataJson?: string;
  displayName?: string;
  displayAvatarUrl?: string;
  /**
   * Whether the text was derived from the message's attachments and blocks. Clients then don't show
   * it next to them.
   */
  textDerived?: boolean;
  /** The message in the format of another product, unchanged. */
  sourceJson?: string;
  /**
   * `member` (default): the author must be a member. `granted`: access comes from elsewhere (a
   * trigger, a webhook).
   */
  access?: 'member' | 'granted';
  /** Default: a new UUIDv7. */
  messageId?: string;
  /** Id of its MESSAGE_CREATED event. Default: a new UUIDv7. */
  eventId?: string;
  /** Who is notified of the message, and how. Default: no one. */
  notify?: MessageNotice;
  /** Files attached in the same transaction, as the event shows them. Default: none. */
  attachments?: Attachments;
}

/** A posted message. */
export interface CreatedMessage {
  messageId: string;
  /** Where the message was stored: the thread, for a reply. */
  conversationId: string;
  msgIndex: number;
  /** RFC 3339, UTC, nine fractional digits. */
  sentAt: string;
  /** Root message, for a reply. */
  threadId?: string;
  /** Id of its MESSAGE_CREATED event. */
  eventId: string;
}

/** Where a message is stored. `threadId` is the root message of a reply. */
interface Target {
  conversationId: string;
  threadId?: string;
}

/** Posts a message in the caller's transaction. */
@Injectable()
export class CreateMessage {
  constructor(private readonly members: MemberDirectory) {}

  /**
   * Posts a message and appends MESSAGE_CREATED. Takes the conversation's row lock until the end of
   * the transaction, so that `msg_index` grows by one in commit order. An ordinary message is one
   * statement. Call it first in the transaction, so that it is sent together with BEGIN.
   *
   * @returns the message, or why it was refused; then nothing was written
   */
  async in(tx: Tx, message: NewMessage): Promise<CreatedMessage | Refusal<MessageRefusal>> {
    const mentions = await findMentions(tx, this.members, message.spaceId, message.text);
    return message.parentMessageId === undefined
      ? postToConversation(tx, message, mentions)
      : postReply(tx, message, message.parentMessageId, mentions);
  }
}

async function postReply(
  tx: Tx,
  message: NewMessage,
  parentMessageId: string,
  mentions: string[],
): Promise<CreatedMessage | Refusal<MessageRefusal>> {
  const access = await sendingAccess(tx, message);
  if (access.refused !== undefined) return { refused: access.refused };
  const reply = await resolveReply(tx, message.spaceId, access.conversation, parentMessageId);
  if (!reply) return { refused: 'unknown_parent' };
  const conversationId =
    reply.threadConversationId ??
    (await openThread(tx, access.conversation, reply.rootMessageId, message.author.id));
  const target = { conversationId, threadId: reply.rootMessageId };
  tx.signal(OUTBOX, message.spaceId);
  return (await post(tx, POST_TO_THREAD, message, target, mentions, traceparent())) ?? refusal(tx, message);
}

async function postToConversation(
  tx: Tx,
  message: NewMessage,
  mentions: string[],
): Promise<CreatedMessage | Refusal<MessageRefusal>> {
  tx.signal(OUTBOX, message.spaceId);
  const target = { conversationId: message.conversationId };
  const posted = await post(tx, POST_TO_CHANNEL, message, target, mentions, traceparent());
  if (posted) return posted;
  const access = await sendingAccess(tx, message);
  if (access.refused !== undefined) return { refused: access.refused };
  const statement = access.conversation.rootMessageId === null ? POST_TO_CHANNEL : POST_TO_THREAD;
  return (await post(tx, statement, message, target, mentions, traceparent())) ?? refusal(tx, message);
}

/** Reached only if access was revoked between two statements of this transaction. */
async function refusal(q: Queryable, message: NewMessage): Promise<Refusal<MessageRefusal>> {
  return { refused: (await sendingAccess(q, message)).refused ?? 'not_member' };
}

/**
 * Posts an ordinary message (no reply, no mention) as a transaction of one statement, unless its
 * conversation is locked by another one.
 *
 * @param origin the trace of the request that posts it
 * @returns undefined if nothing was written: the conversation is locked or the message is refused
 */
export function postIfFree(
  q: Queryable,
  message: NewMessage,
  origin: string | undefined,
): Promise<CreatedMessage | undefined> {
  return post(q, POST_IF_FREE, message, { conversationId: message.conversationId }, [], origin);
}

async function post(
  q: Queryable,
  sql: typeof POST_TO_CHANNEL,
  message: NewMessage,
  target: Target,
  mentions: string[],
  origin: string | undefined,
): Promise<CreatedMessage | undefined> {
  const { spaceId, author, text, metadataJson = null, displayName = null, displayAvatarUrl = null } = message;
  const { conversationId, threadId } = target;
  const { messageId = uuidv7(), eventId = uuidv7() } = message;
  const [row] = await q.query(sql, {
    ...{ spaceId, conversationId, messageId, eventId, text, metadataJson, displayName, displayAvatarUrl },
    authorId: author.id,
    authorType: author.type,
    isGranted: message.access === 'granted',
    mentions: mentions.length > 0 ? mentions : null,
    threadId: threadId ?? null,
    notify: message.notify === undefined ? null : JSON.stringify(message.notify),
    attachments: message.attachments === undefined ? null : JSON.stringify(message.attachments),
    traceparent: origin ?? null,
    textDerived: message.textDerived || null,
    sourceJson: message.sourceJson ?? null,
  });
  if (!row) return undefined;
  return {
    messageId,
    conversationId,
    msgIndex: row.msgIndex,
    sentAt: row.sentAt,
    eventId,
    ...(threadId !== undefined && { threadId }),
  };
}
