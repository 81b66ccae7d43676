import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { sendingAccess } from '../../access/sending-access.js';
import type { Conversation } from '../../conversation.queries.js';
import { THREAD_TITLED } from '../../events/thread-titled.js';
import type { ThreadTitled } from '../../events/thread-titled.js';
import type { Refusal, SendingRefusal } from '../../refusals.js';
import { findMessage } from '../message.queries.js';
import { openThread } from './open-thread.js';
import { FIND_THREAD, SET_TITLE } from './thread.statements.js';

/** The thread of a root message, its new title, and the bot that sets it. */
export interface Titling {
  spaceId: string;
  rootMessageId: string;
  /** Null removes the title. */
  title: string | null;
  botId: string;
}

type TitleRefusal = SendingRefusal | 'unknown_message';

/**
 * Sets or removes the title of a thread. A message without a thread gets one, so that bots can
 * title it before the first reply. If the thread already has the title, emits no event.
 *
 * @returns why it was refused, if it was
 */
export async function titleThread(
  tx: Tx,
  { spaceId, rootMessageId, title, botId }: Titling,
): Promise<Refusal<TitleRefusal> | undefined> {
  const root = await findMessage(tx, spaceId, rootMessageId);
  if (!root) return { refused: 'unknown_message' };
  const request = { spaceId, conversationId: root.conversationId, author: { id: botId } };
  const { conversation, refused } = await sendingAccess(tx, request);
  if (refused) return { refused };
  // A reply cannot start a thread.
  if (conversation.rootMessageId !== null) return { refused: 'unknown_message' };
  await setTitle(tx, conversation, { spaceId, rootMessageId, title, botId });
  return undefined;
}

async function setTitle(
  tx: Tx,
  channel: Conversation,
  { spaceId, rootMessageId, title, botId }: Titling,
): Promise<void> {
  if (title === null && (await tx.query(FIND_THREAD, [spaceId, rootMessageId])).length === 0) return;
  const id = await openThread(tx, channel, rootMessageId, botId);
  const changed = await tx.query(SET_TITLE, [spaceId, id, title]);
  if (changed.length === 0) return;
  const payload: ThreadTitled = { conversation_id: channel.id, thread_id: rootMessageId, title };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId, type: THREAD_TITLED, payload });
}
