import { statement } from '@tieline/platform/database';
import type { Db, Queryable } from '@tieline/platform/database';
import { badRequest, isUuid, pageOf } from '@tieline/platform/http';
import type { PageQuery, UserPrincipal } from '@tieline/platform/http';
import type { StoredNotification } from './notification.view.js';

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const LIST = statement(
  'notifications.list',
  `SELECT space_id AS "spaceId", user_id AS "userId", id, message_id AS "messageId", conversation_id AS "conversationId", kind, severity, created_at AS "createdAt"
     FROM notifications WHERE space_id = $1 AND user_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4`,
);
const ONLINE = statement(
  'notifications.online',
  'SELECT DISTINCT user_id FROM client_presence WHERE space_id = $1 AND user_id = ANY($2::uuid[])',
);

/** A person's notifications, newest first, by pages. @throws 400 for a cursor that no page of ours handed out */
export async function listNotifications(
  db: Db,
  { spaceId, userId }: UserPrincipal,
  { limit, cursor }: PageQuery,
): Promise<{ rows: StoredNotification[]; nextCursor: string }> {
  if (cursor !== '' && !isUuid(cursor)) throw badRequest('invalid cursor');
  const rows = await db.query<StoredNotification>(LIST, [
    spaceId,
    userId,
    cursor === '' ? LAST : cursor,
    limit + 1,
  ]);
  return pageOf(rows, limit, ({ id }) => id);
}

/** Those of these people who have an open stream anywhere. */
export async function peopleOnline(
  q: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  return new Set((await q.query<{ user_id: string }>(ONLINE, [spaceId, userIds])).map((row) => row.user_id));
}
