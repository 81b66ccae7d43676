import type { Queryable } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { Actor } from '../actors.js';
import { unsupportedType } from '../conversations.errors.js';
import type { Conversation } from '../conversation.queries.js';
import { hasOwnMembers } from './membership.states.js';
import type { ChannelActor } from './membership.states.js';
import { requireReadable } from './require-readable.js';

/** Returns the caller as the actor of events. */
export function actorOf(caller: UserPrincipal | BotPrincipal): Actor & { type: 'user' | 'bot' } {
  return caller.kind === 'bot' ? { id: caller.botId, type: 'bot' } : { id: caller.userId, type: 'user' };
}

/**
 * Returns a channel or voice chat that the caller can read.
 * @throws 400 direct chat or thread; 403; 404
 */
export async function requireChannel(
  q: Queryable,
  caller: UserPrincipal | BotPrincipal,
  conversationId: string,
): Promise<{ conversation: Conversation; actor: ChannelActor }> {
  const { conversation, isMember } = await requireReadable(q, caller, conversationId);
  if (!hasOwnMembers(conversation)) throw unsupportedType();
  const role = caller.kind === 'bot' ? 'member' : caller.role;
  return { conversation, actor: { id: actorOf(caller).id, role, isMember } };
}
