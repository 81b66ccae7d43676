import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import { CLAIM_NOTICE_TO_POST, NOTICE_IS_POSTED, POST_NOTICE_LATER } from './notices-to-post.statements.js';

/**
 * A notice that waits to be posted in the conversation that admins chose; `attempts` failed so far.
 */
export type NoticeToPost = RowOf<typeof CLAIM_NOTICE_TO_POST>;

const FIRST_BACKOFF_S = 5;
/** Ten minutes in all. */
const MAX_ATTEMPTS = 8;

/**
 * Locks the next notice to be posted that no other worker has in hand. Those of an inactive space
 * wait.
 */
export async function claimNoticeToPost(tx: Tx): Promise<NoticeToPost | undefined> {
  const [row] = await tx.query(CLAIM_NOTICE_TO_POST);
  return row;
}

/** Nothing is left to be posted of this notice. The caller holds its lock. */
export async function noticeIsPosted(tx: Tx, { spaceId, id }: NoticeToPost): Promise<void> {
  await tx.query(NOTICE_IS_POSTED, [spaceId, id]);
}

/**
 * Puts off the next try, at growing intervals; after the last one the notice is in the admins' list
 * alone.
 */
export async function postNoticeLater(q: Queryable, { spaceId, id, attempts }: NoticeToPost): Promise<void> {
  await q.query(POST_NOTICE_LATER, [spaceId, id, FIRST_BACKOFF_S * 2 ** attempts, MAX_ATTEMPTS]);
}
