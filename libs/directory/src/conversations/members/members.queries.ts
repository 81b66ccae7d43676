import { chatAccess } from '@tieline/conversations';
import type { Db } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { BotPrincipal, Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { LIST_MEMBERS } from './members.statements.js';
import type { MemberView } from './members.view.js';

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the members of a conversation that the caller may read. A thread has the members of its
 * channel. The cursor is the last id.
 * @throws 404 unknown in the caller's space; 403 the caller may not read it; 400 a bad cursor
 */
export async function listMembers(
  db: Db,
  caller: BotPrincipal | UserPrincipal,
  conversationId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<MemberView>> {
  const after = pageCursor(cursor) || FIRST;
  const { conversation } = await chatAccess.requireReadable(db, caller, conversationId);
  const rows = await db.query(LIST_MEMBERS, {
    spaceId: caller.spaceId,
    conversationId: conversation.channelId,
    after,
    limit: limit + 1,
  });
  const members = rows.map(({ id, type, displayName }) => ({ id, type, display_name: displayName }));
  return pageOf(members, limit, ({ id }) => id);
}
