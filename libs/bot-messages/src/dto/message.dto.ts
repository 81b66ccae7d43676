import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/* How the bodies look in the OpenAPI document; they are read by `message-body.ts`. */

const METADATA = {
  description: 'JSON text of an object, up to 32 KiB; interactive blocks need a callback URL or poll mode',
  example: '{"version":1,"blocks":[]}',
};

class AttachmentDto {
  @ApiProperty({ format: 'uuid' })
  file_id: string;
}

/** Body of POST /bot/messages. */
export class SendBotMessageDto {
  @ApiProperty({
    format: 'uuid',
    description: 'target channel, thread or DM; not needed in a reply to a slash command',
  })
  conversation_id: string;

  @ApiPropertyOptional({
    maxLength: 4000,
    description: 'Markdown; required unless there are attachments',
    example: 'Deployed **v1.4.2**',
  })
  content?: string;

  @ApiPropertyOptional({ maxLength: 64, description: "shown instead of the bot's name" })
  display_name?: string;

  @ApiPropertyOptional({ description: "HTTPS; shown instead of the bot's avatar" })
  display_avatar_url?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'reply into the thread of this message' })
  parent_message_id?: string;

  @ApiPropertyOptional({ format: 'uuid', deprecated: true, description: 'alias of parent_message_id' })
  thread_id?: string;

  @ApiPropertyOptional(METADATA)
  metadata_json?: string;

  @ApiPropertyOptional({ type: [AttachmentDto], maxItems: 15 })
  attachments?: AttachmentDto[];
}

/** Body of PATCH /bot/messages/{message_id}. */
export class EditBotMessageDto {
  @ApiProperty({ maxLength: 4000, description: 'Markdown', example: 'Deployed **v1.4.3**' })
  content: string;

  @ApiPropertyOptional({ ...METADATA, description: `${METADATA.description}; omitted: cleared` })
  metadata_json?: string;
}
