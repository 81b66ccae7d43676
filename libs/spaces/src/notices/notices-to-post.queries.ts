import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import { CLAIM_NOTICE_TO_POST, NOTICE_IS_POSTED, POST_NOTICE_LATER } from './notices-to-post.statements.js';

/** A notice to be posted in the conversation that admins chose, and its failed `attempts`. */
export type NoticeToPost = RowOf<typeof CLAIM_NOTICE_TO_POST>;

const FIRST_BACKOFF_S = 5;
/** Over ten minutes in all. */
const MAX_ATTEMPTS = 8;

/** Locks the next notice to be posted that no other worker has locked. Inactive spaces wait. */
export async function claimNoticeToPost(tx: Tx): Promise<NoticeToPost | undefined> {
  const [row] = await tx.query(CLAIM_NOTICE_TO_POST);
  return row;
}

/** Marks a notice as posted. The caller holds its lock. */
export async function noticeIsPosted(tx: Tx, { spaceId, id }: NoticeToPost): Promise<void> {
  await tx.query(NOTICE_IS_POSTED, [spaceId, id]);
}

/**
 * Schedules the next attempt, at growing intervals. After the last one the notice appears only in
 * the admins' list.
 */
export async function postNoticeLater(q: Queryable, { spaceId, id, attempts }: NoticeToPost): Promise<void> {
  await q.query(POST_NOTICE_LATER, {
    spaceId,
    id,
    seconds: FIRST_BACKOFF_S * 2 ** attempts,
    maxAttempts: MAX_ATTEMPTS,
  });
}
