import type { AttachmentStatus } from '@tieline/conversations';
import { Field, OkAnswer } from '@tieline/platform/http';
import type { SentMessage } from './send-bot-message.js';

/** Response of PATCH /bot/messages/{message_id}. */
export class EditedMessageAnswer extends OkAnswer {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  message_id: string;
}

/** Response of POST /bot/messages. */
export class SentMessageAnswer extends EditedMessageAnswer {
  @Field({
    enum: ['none', 'pending', 'attached', 'failed'],
    example: 'attached',
    optional: true,
    description: 'only for messages with files',
  })
  attachment_status?: AttachmentStatus;
}

export function sentMessageAnswer({ messageId, attachmentStatus }: SentMessage): SentMessageAnswer {
  return {
    ok: true,
    message_id: messageId,
    ...(attachmentStatus !== undefined && { attachment_status: attachmentStatus }),
  };
}
