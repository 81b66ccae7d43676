import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  BodyExample,
  Check,
  invalidField,
  IsOneLine,
  IsRequired,
  IsUuid,
  MayBeEmpty,
  oneLineProblem,
} from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';

const MAX_TEXT = 100;
const MAX_LOADING_MESSAGES = 10;
const MAX_LOADING_TEXT = 50;

/** Body of PUT /bot/conversations/{id}/status. */
@BodyExample('while the bot searches', {
  text: 'is searching the tickets',
  loading_messages: ['Reading 2024 …', 'Reading 2025 …'],
})
export class SetStatusDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_TEXT, example: 'is searching the tickets' })
  @IsOneLine(MAX_TEXT)
  @IsRequired()
  text: string;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'message whose thread shows the status; absent: the conversation',
  })
  @IsOptional()
  @IsUuid()
  thread_id?: string | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    maxItems: MAX_LOADING_MESSAGES,
    description: `shown in turn beside the text; texts of 1 to ${MAX_LOADING_TEXT} characters`,
    example: ['Reading 2024 …', 'Reading 2025 …'],
  })
  @IsOptional()
  @Check(refusalOfLoadingMessages)
  loading_messages?: string[] | null;
}

/** Query of DELETE /bot/conversations/{id}/status. */
export class StatusThreadQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'message whose thread shows the status' })
  @MayBeEmpty()
  @IsUuid()
  thread_id?: string;
}

function refusalOfLoadingMessages(messages: unknown): ApiError | undefined {
  const refuse = (place: string, problem: string): ApiError =>
    invalidField('loading_messages', `${place} ${problem}`);
  if (!Array.isArray(messages) || messages.length > MAX_LOADING_MESSAGES)
    return refuse('loading_messages', `must be a list of at most ${MAX_LOADING_MESSAGES} texts`);
  for (const [n, text] of messages.entries()) {
    const problem = typeof text === 'string' ? oneLineProblem(text, MAX_LOADING_TEXT) : 'must be a string';
    if (problem !== undefined) return refuse(`loading_messages[${n}]`, problem);
  }
  return undefined;
}
