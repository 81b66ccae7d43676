import type { Db } from '@tieline/platform/database';
import { forbidden, notFound } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { readingAccess } from '../../access/reading-access.js';
import { CLEAR_FOCUS, SET_FOCUS } from '../live.statements.js';

/**
 * Notes what the person looks at: it holds for their streams that are open now, in any process, and
 * for those opened within the next minute (a client may say it before its stream stands).
 * `undefined` and null: at nothing.
 *
 * One row of one person, last writer wins: no transaction of several statements is needed.
 * @throws 404 for an unknown or foreign conversation, 403 for one that the person may not read
 */
export async function focusConversation(
  db: Db,
  person: UserPrincipal,
  conversationId: string | null,
): Promise<void> {
  if (conversationId === null) {
    await db.query(CLEAR_FOCUS, [person.spaceId, person.userId]);
    return;
  }
  const access = await readingAccess(db, person, conversationId);
  if (!access) throw notFound();
  if (!access.mayRead) throw forbidden();
  await db.query(SET_FOCUS, [person.spaceId, person.userId, conversationId]);
}
