import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { claimNoticeToPost, noticeIsPosted, postNoticeLater } from '@tieline/spaces';
import type { NoticeToPost } from '@tieline/spaces';
import type { CreateMessage } from '../messages/create-message.js';

/**
 * Posts the notices that wait for it in the conversations that admins chose (decisions, section 11.3), one transaction each: the notice is
 * locked, posted and marked, all or nothing. So it is posted once, whatever crashes and however many workers run at once, and those
 * of a space in order. One that cannot be posted is tried again later.
 * @returns the errors of those
 */
export async function postNotices(
  db: Db,
  createMessage: CreateMessage,
  signal?: AbortSignal,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  while (!signal?.aborted) {
    const posted = await postNext(db, createMessage);
    if (posted === 'none') break;
    if (posted !== 'done') errors.push(posted.error);
  }
  return errors;
}

async function postNext(db: Db, createMessage: CreateMessage): Promise<'none' | 'done' | { error: unknown }> {
  let inHand: NoticeToPost | undefined;
  try {
    return await runInTx(db, async (tx) => {
      inHand = await claimNoticeToPost(tx);
      if (!inHand) return 'none';
      await post(tx, createMessage, inHand);
      await noticeIsPosted(tx, inHand);
      return 'done';
    });
  } catch (error) {
    // Without a claimed notice the database itself is in trouble: the next run tries again.
    if (!inHand) throw error;
    await postNoticeLater(db, inHand);
    return { error };
  }
}

/** In the name of the space. Where the conversation no longer takes messages, the notice is in the admins' list alone. */
async function post(
  tx: Tx,
  createMessage: CreateMessage,
  { spaceId, conversationId, text }: NoticeToPost,
): Promise<void> {
  const author = { id: spaceId, type: 'system' } as const;
  await createMessage.in(tx, { spaceId, conversationId, author, text, access: 'granted' });
}
