import type { Db, Tx } from '@tieline/platform/database';
import { carryOutDueRows } from '@tieline/queue';
import { claimNoticeToPost, noticeIsPosted, postNoticeLater } from '@tieline/spaces';
import type { NoticeToPost } from '@tieline/spaces';
import type { CreateMessage } from '../messages/create-message.js';

/**
 * Posts pending notices in the conversations that admins chose, those of one space in order. A
 * notice that cannot be posted is retried later.
 * @returns the errors of notices that could not be posted
 */
export async function postNotices(
  db: Db,
  createMessage: CreateMessage,
  signal?: AbortSignal,
): Promise<unknown[]> {
  const carryOut = async (tx: Tx, notice: NoticeToPost): Promise<void> => {
    await post(tx, createMessage, notice);
    await noticeIsPosted(tx, notice);
  };
  return carryOutDueRows(db, { claim: claimNoticeToPost, carryOut, postpone: postNoticeLater }, signal);
}

/**
 * Posts a notice in the name of the space. If the conversation no longer accepts messages, the
 * notice appears only in the admins' list.
 */
async function post(
  tx: Tx,
  createMessage: CreateMessage,
  { spaceId, conversationId, text }: NoticeToPost,
): Promise<void> {
  const author = { id: spaceId, type: 'system' } as const;
  await createMessage.in(tx, { spaceId, conversationId, author, text, access: 'granted' });
}
