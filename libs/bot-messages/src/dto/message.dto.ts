import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { IsFileList } from '@tieline/conversations';
import { BodyExample, EMPTY_OR_UUID } from '@tieline/platform/http';
import {
  HasContent,
  HasContentOrAttachments,
  HasNoFiles,
  IfGiven,
  IfGivenInPlaceOf,
  IsAvatarUrl,
  IsContent,
  IsDisplayName,
  IsRequired,
  IsTextOrNull,
  IsUuidText,
} from './message-rules.js';

const METADATA = {
  type: String,
  nullable: true,
  description: 'JSON text of an object, up to 32 KiB; interactive blocks need a callback URL or poll mode',
  example: '{"version":1,"blocks":[]}',
};

class AttachmentDto {
  @ApiProperty({ format: 'uuid' })
  file_id: string;
}

/** Body of POST /bot/messages. */
@BodyExample('a text', {
  conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001',
  content: 'Deployed **v1.4.2**',
})
export class SendBotMessageDto {
  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'target channel, thread or DM; required, except in a reply to a slash command (`X-Service-Trigger-Id`)',
  })
  @IsUuidText()
  @IsRequired()
  conversation_id: string;

  @ApiPropertyOptional({ type: [AttachmentDto], maxItems: 15 })
  @IsFileList()
  @IsOptional()
  attachments?: AttachmentDto[] | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 4000,
    description: 'Markdown; required unless there are attachments',
    example: 'Deployed **v1.4.2**',
  })
  @HasContentOrAttachments()
  @IsContent()
  @IsTextOrNull()
  content?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 64,
    description: "shown instead of the bot's name",
  })
  @IsDisplayName()
  @IsTextOrNull()
  display_name?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: '^([Hh][Tt][Tt][Pp][Ss]://.*)?$',
    description: "HTTPS; shown instead of the bot's avatar",
  })
  @IsAvatarUrl()
  @IsTextOrNull()
  @IfGiven()
  display_avatar_url?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: EMPTY_OR_UUID,
    description: 'replies in the thread of this message; empty counts as absent',
  })
  @IsUuidText()
  @IfGiven()
  parent_message_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: EMPTY_OR_UUID,
    deprecated: true,
    description: 'alias of parent_message_id',
  })
  @IsUuidText()
  @IfGivenInPlaceOf('parent_message_id')
  thread_id?: string | null;

  /**
   * Validated by `parseMetadata` of the interactive lib, which parses it once for checks and use.
   */
  @ApiPropertyOptional(METADATA)
  @Allow()
  metadata_json?: unknown;
}

/** Body of PATCH /bot/messages/{message_id}. */
@BodyExample('another text', { content: 'Deployed **v1.4.3**' })
export class EditBotMessageDto {
  @ApiProperty({ maxLength: 4000, description: 'Markdown', example: 'Deployed **v1.4.3**' })
  @HasContent()
  @IsContent()
  @IsTextOrNull()
  content: string;

  @ApiPropertyOptional({
    ...METADATA,
    description: `${METADATA.description}; omitted: the metadata is cleared`,
  })
  @Allow()
  metadata_json?: unknown;
}

/**
 * Body of POST /bot/messages with `X-Service-Trigger-Id`. The trigger determines where the answer
 * is posted.
 */
export class SlashReplyDto {
  @HasNoFiles()
  @IsFileList()
  @IsOptional()
  attachments?: AttachmentDto[] | null;

  @HasContent()
  @IsContent()
  @IsTextOrNull()
  content: string;

  @Allow()
  metadata_json?: unknown;
}
