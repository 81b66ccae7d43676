import type { Queryable } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { conversationNotFound, notReadable } from '../conversations.errors.js';
import { readingAccess } from './reading-access.js';
import type { ReadingAccess } from './reading-access.js';

/**
 * Returns a conversation that the caller can read.
 * @throws 404 unknown in the caller's space; 403 neither public nor joined by the caller
 */
export async function requireReadable(
  q: Queryable,
  caller: UserPrincipal | BotPrincipal,
  conversationId: string,
): Promise<ReadingAccess> {
  const access = await readingAccess(q, caller, conversationId);
  if (!access) throw conversationNotFound();
  if (!access.mayRead) throw notReadable();
  return access;
}
