import { ApiPropertyOptional } from '@nestjs/swagger';
import { characters, isBlankText } from '@tieline/platform/http';
import { Allow, IsIn, IsOptional, ValidateBy } from 'class-validator';

const MAX_TEXT = 4000;
const RESPONSE_TYPES = ['in_channel', 'ephemeral'] as const;

/** A bot's synchronous answer to an invocation. Null counts as absent. */
export class CommandAnswerDto {
  @ApiPropertyOptional({ enum: RESPONSE_TYPES, default: 'ephemeral' })
  @IsIn(RESPONSE_TYPES)
  @IsOptional()
  response_type?: (typeof RESPONSE_TYPES)[number] | null;

  /** 1 to 4000 characters, not only whitespace. */
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_TEXT,
    description: 'absent if the answer comes later',
  })
  @ValidateBy({ name: 'isAnswerText', validator: { validate: isAnswerText } })
  text: string;

  /** Validated by `parseMetadata`. */
  @ApiPropertyOptional({ type: String, nullable: true, description: 'JSON text' })
  @Allow()
  metadata_json?: unknown;
}

function isAnswerText(value: unknown): boolean {
  if (typeof value !== 'string' || isBlankText(value) || value.includes('\0')) return false;
  return characters(value) <= MAX_TEXT;
}
