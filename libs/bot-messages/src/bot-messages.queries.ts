import { chatErrors, findMessage } from '@tieline/conversations';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

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
  if (!message) throw chatErrors.messageNotFound();
  return message.conversationId;
}
