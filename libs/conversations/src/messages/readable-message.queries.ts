import type { Queryable } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { requireReadable } from '../access/require-readable.js';
import { messageDeleted, messageNotFound } from '../conversations.errors.js';
import type { MessageView } from '../events/shown-message.js';
import type { MessageAttachments } from '../ports/message-attachments.js';
import { messageFor, viewerOf } from '../ports/metadata-visibility.js';
import type { MetadataVisibility } from '../ports/metadata-visibility.js';
import { findMessage } from './message.queries.js';
import { messageView } from './message.view.js';

/** What a message is shown with. */
export interface MessageSources {
  attachments: MessageAttachments;
  visibility: MetadataVisibility;
}

/**
 * One message as the caller sees it, by the rules of history (decisions, sections 3 and 11.4).
 * @throws 404 unknown in the caller's space; 403 its conversation is not the caller's to read; 410 deleted
 */
export async function readableMessage(
  q: Queryable,
  { attachments, visibility }: MessageSources,
  caller: BotPrincipal | UserPrincipal,
  messageId: string,
): Promise<MessageView> {
  const message = await findMessage(q, caller.spaceId, messageId);
  if (!message) throw messageNotFound();
  await requireReadable(q, caller, message.conversationId);
  if (message.deletedAt !== null) throw messageDeleted();
  const files = await attachments.of(q, caller.spaceId, [message.id]);
  return messageFor(visibility, messageView(message, files.get(message.id)), viewerOf(caller));
}
