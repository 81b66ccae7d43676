import type { SentMessage } from './send-bot-message.js';

/** The answer to a sent message (contract, Messages): `attachment_status` only when files were given. */
export function sentView({ messageId, attachmentStatus }: SentMessage): Record<string, unknown> {
  return {
    ok: true,
    message_id: messageId,
    ...(attachmentStatus !== undefined && { attachment_status: attachmentStatus }),
  };
}
