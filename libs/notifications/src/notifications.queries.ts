import { unprepared } from '@tieline/platform/database';
import type { Db, Queryable } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { LIST_NOTIFICATIONS, ONLINE } from './notifications.statements.js';
import type { StoredNotification } from './notification.view.js';

/** Cursor of the first page: greater than every id. */
const FIRST_PAGE = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Lists a person's notifications, newest first, in pages.
 * @throws 400 for an invalid cursor
 */
export async function listNotifications(
  db: Db,
  { spaceId, userId }: UserPrincipal,
  { limit, cursor }: PageQuery,
): Promise<Page<StoredNotification>> {
  const before = pageCursor(cursor) || FIRST_PAGE;
  const rows = await db.query(unprepared(LIST_NOTIFICATIONS), { spaceId, userId, before, limit: limit + 1 });
  return pageOf(rows, limit, ({ id }) => id);
}

/** Returns the ids of the given people who have an open stream in any process. */
export async function peopleOnline(
  q: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  return new Set((await q.query(ONLINE, [spaceId, userIds])).map((row) => row.userId));
}
