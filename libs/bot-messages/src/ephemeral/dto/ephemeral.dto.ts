import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { parseMetadata } from '@tieline/interactive';
import type { Metadata } from '@tieline/interactive';
import { BodyExample, bodyReader } from '@tieline/platform/http';
import { Allow } from 'class-validator';
import { HasContent, IsContent, IsRequired, IsTextOrNull, IsUuidText } from '../../dto/message-rules.js';

/** Body of POST /bot/messages/ephemeral. */
@BodyExample('for one person', {
  conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001',
  user_id: '0190f2a4-7c1b-7000-8000-00000000a001',
  content: 'Only you see this',
})
export class EphemeralMessageDto {
  @ApiProperty({ format: 'uuid', description: 'channel, thread or DM' })
  @IsUuidText()
  @IsRequired()
  conversation_id: string;

  @ApiProperty({ format: 'uuid', description: 'the member who sees it' })
  @IsUuidText()
  @IsRequired()
  user_id: string;

  @ApiProperty({ maxLength: 4000, description: 'Markdown', example: 'Only you see this' })
  @HasContent()
  @IsContent()
  @IsTextOrNull()
  content: string;

  /** Validated by `parseMetadata` of the interactive lib. */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'JSON text of an object, up to 32 KiB; interactive blocks need a callback URL or poll mode',
    example: '{"version":1,"blocks":[]}',
  })
  @Allow()
  metadata_json?: unknown;
}

/** A validated ephemeral message. Rules that need the database are checked later. */
export interface NewEphemeral {
  conversationId: string;
  userId: string;
  content: string;
  metadata: Metadata | undefined;
  /** The message in the format of another product, unchanged. */
  sourceJson?: string;
  /** Whether people can use something in it besides the metadata. */
  hasElements?: boolean;
}

const read = bodyReader(EphemeralMessageDto);

/** Validates the body of a request. @throws 400 */
export function parseEphemeral(input: unknown): NewEphemeral {
  const body = read(input);
  return {
    conversationId: body.conversation_id.toLowerCase(),
    userId: body.user_id.toLowerCase(),
    content: body.content,
    metadata: parseMetadata(body.metadata_json),
  };
}
