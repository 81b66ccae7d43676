import { unprepared } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { LIST_MEMBERS_AROUND, LIST_MEMBERS_OF_SPACE } from './members-of-space.statements.js';
import type { MemberOfSpaceView } from './members-of-space.view.js';

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the people and bots that a person may know: everyone of the space, or for a guest,
 * members of shared conversations. Includes deactivated and deleted ones, because they are authors
 * of messages. The cursor is the last id.
 * @throws 400 for a bad cursor
 */
export async function listMembersOfSpace(
  db: Db,
  { spaceId, userId, role }: UserPrincipal,
  { limit, cursor }: PageQuery,
): Promise<Page<MemberOfSpaceView>> {
  const after = pageCursor(cursor) || FIRST;
  const rows =
    role === 'guest'
      ? await db.query(LIST_MEMBERS_AROUND, { spaceId, userId, after, limit: limit + 1 })
      : await db.query(unprepared(LIST_MEMBERS_OF_SPACE), [spaceId, after, limit + 1]);
  const members = rows.map(({ id, type, displayName, isActive }) => ({
    ...{ id, type },
    display_name: displayName,
    is_active: isActive,
  }));
  return pageOf(members, limit, ({ id }) => id);
}
