import type { Db } from '@tieline/platform/database';
import { forbidden, notFound } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { chatAccess } from '@tieline/conversations';
import type { DmOpenings } from '@tieline/conversations';
import { CLEAR_FOCUS, SET_FOCUS } from '../live.statements.js';

/**
 * Stores which conversation a person is viewing. Applies to all their open streams in any process
 * and to streams opened within the next minute, because a client may send it before its stream is
 * open. `null`: no conversation.
 *
 * Writes one row in one statement; the last writer wins, so it needs no transaction. The bot of a
 * direct chat is notified that it was opened.
 * @throws 404 for an unknown or foreign conversation, 403 for one that the person may not read
 */
export async function focusConversation(
  db: Db,
  openings: DmOpenings,
  person: UserPrincipal,
  conversationId: string | null,
): Promise<void> {
  if (conversationId === null) {
    await db.query(CLEAR_FOCUS, [person.spaceId, person.userId]);
    return;
  }
  const access = await chatAccess.reading(db, person, conversationId);
  if (!access) throw notFound();
  if (!access.mayRead) throw forbidden();
  const { spaceId, userId } = person;
  await db.query(SET_FOCUS, [spaceId, userId, conversationId]);
  const { conversation } = access;
  if (conversation.dmKey !== null)
    await openings.announce(db, { spaceId, userId, conversationId, botIds: conversation.botIds });
}
