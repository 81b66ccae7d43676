import type { Db, Tx } from '@tieline/platform/database';
import { carryOutDueRows } from '@tieline/queue';
import { claimNoticeToPost, noticeIsPosted, postNoticeLater } from '@tieline/spaces';
import type { NoticeToPost } from '@tieline/spaces';
import type { CreateMessage } from '../messages/create-message.js';

/**
 * Posts the notices that wait for it in the conversations that admins chose (decisions, section
 * 11.3), those of a space in order. One that cannot be posted is tried again later.
 * @returns the errors of those
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
 * In the name of the space. Where the conversation no longer takes messages, the notice is in the
 * admins' list alone.
 */
async function post(
  tx: Tx,
  createMessage: CreateMessage,
  { spaceId, conversationId, text }: NoticeToPost,
): Promise<void> {
  const author = { id: spaceId, type: 'system' } as const;
  await createMessage.in(tx, { spaceId, conversationId, author, text, access: 'granted' });
}
