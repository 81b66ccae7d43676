import { findMessage } from '@tieline/conversations';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { messageNotFound } from './bot-messages.errors.js';

/**
 * Returns the conversation of a message. Edits of the message are charged to its rate.
 * @throws 404 unknown or of another space
 */
export async function conversationOfMessage(
  db: Db,
  { spaceId }: BotPrincipal,
  messageId: string,
): Promise<string> {
  const message = await findMessage(db, spaceId, messageId);
  if (!message) throw messageNotFound();
  return message.conversationId;
}
