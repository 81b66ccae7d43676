import type { Db } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { requireReadable } from '../../access/require-readable.js';
import type { MessageView } from '../../events/shown-message.js';
import type { ShownMessages } from '../history/shown-messages.js';
import { LIST_PINS } from './pin.statements.js';

/**
 * Returns the pinned messages of a conversation as the caller sees them, latest pin first.
 * @throws 404 unknown in the caller's space; 403 the caller may not read it
 */
export async function listPins(
  db: Db,
  shown: ShownMessages,
  caller: BotPrincipal | UserPrincipal,
  conversationId: string,
): Promise<MessageView[]> {
  const { conversation } = await requireReadable(db, caller, conversationId);
  return shown.to(db, caller, await db.query(LIST_PINS, [caller.spaceId, conversation.id]));
}
