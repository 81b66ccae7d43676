import type { Queryable } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { unsupportedType } from '../conversations.errors.js';
import type { Conversation } from '../conversation.queries.js';
import { hasOwnMembers } from './membership.states.js';
import type { ChannelActor } from './membership.states.js';
import { requireReadable } from './require-readable.js';

/**
 * Returns a channel or voice chat that the caller can read.
 * @throws 400 direct chat or thread; 403; 404
 */
export async function requireChannel(
  q: Queryable,
  caller: UserPrincipal,
  conversationId: string,
): Promise<{ conversation: Conversation; actor: ChannelActor }> {
  const { conversation, isMember } = await requireReadable(q, caller, conversationId);
  if (!hasOwnMembers(conversation)) throw unsupportedType();
  return { conversation, actor: { userId: caller.userId, role: caller.role, isMember } };
}
