import type { Db } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { requireReadable } from '../../access/require-readable.js';
import type { MessageView } from '../../events/shown-message.js';
import type { ShownMessages } from '../history/shown-messages.js';
import { LIST_PINS } from './pin.statements.js';

/**
 * The pinned messages of a conversation as the caller sees them, the last pinned first (decisions,
 * section 11.4).
 * @throws 404 unknown in the caller's space; 403 not the caller's to read
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
