import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import { IsFileList } from './file-list-rules.js';
import { BodyExample, Convert, emptyAsAbsent, IsText, IsUuid } from '@tieline/platform/http';

/** Maximum text length in code points. */
const MAX_TEXT = 4000;
const TOO_LONG = 'text too long (max 4000 chars)';

const hasFiles = ({ attachments: given }: { attachments?: unknown }): boolean =>
  Array.isArray(given) && given.length > 0;

class SentFileDto {
  @ApiProperty({ format: 'uuid' })
  file_id: string;
}

/** Body of POST /conversations/{id}/messages. */
@BodyExample('a text', { text: 'Is build 4711 out?' })
export class SendMessageDto {
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_TEXT,
    description: 'Markdown; required unless there are attachments; must contain more than white space',
  })
  @IsText(0, MAX_TEXT, TOO_LONG)
  @ValidateIf((body: SendMessageDto) => (body.text ?? undefined) !== undefined || !hasFiles(body))
  text?: string | null;

  @ApiPropertyOptional({ type: [SentFileDto], maxItems: 15, description: "the sender's own files, ready" })
  @IsFileList()
  @IsOptional()
  attachments?: SentFileDto[] | null;

  @ApiPropertyOptional({ format: 'uuid', description: 'makes it a reply in the thread of that message' })
  @IsOptional()
  @IsUuid()
  @Convert(emptyAsAbsent)
  parent_message_id?: string;
}

/** Body of PATCH /messages/{id}. */
@BodyExample('another text', { text: 'Is build 4712 out?' })
export class EditMessageDto {
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_TEXT,
    description: 'Markdown; must contain more than white space',
  })
  @IsText(0, MAX_TEXT, TOO_LONG)
  text: string;
}
