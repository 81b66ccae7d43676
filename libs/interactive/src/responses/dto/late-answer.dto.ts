import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { BodyExample, Nested, NestedList } from '@tieline/platform/http';
import {
  BotAnswerMessageDto,
  BotAnswerUpdateDto,
  IsAnswerText,
  IsTrue,
  MAX_ANSWER_TEXT,
} from '../../answers/dto/bot-answer.dto.js';
import { MAX_CHOICES, SuggestedChoiceDto } from '../../choices/dto/choices.dto.js';
import { ListOf } from '../../schema/schema-rules.js';

/**
 * Body of POST /bot/responses/{response_token}: exactly one of these fields. Null counts as absent.
 */
@BodyExample('a message for this person only', { ephemeral_text: 'Build 4711 is out.' })
export class LateAnswerDto {
  @ApiPropertyOptional({ type: BotAnswerUpdateDto, description: 'changes the original message' })
  @Nested(() => BotAnswerUpdateDto)
  @IsOptional()
  update_message?: BotAnswerUpdateDto | null;

  @ApiPropertyOptional({ type: Boolean, description: 'only `true`: deletes the original message' })
  @IsTrue()
  @IsOptional()
  delete_message?: true | null;

  @ApiPropertyOptional({
    type: BotAnswerMessageDto,
    description: 'posts a new message in the conversation of the original',
  })
  @Nested(() => BotAnswerMessageDto)
  @IsOptional()
  send_message?: BotAnswerMessageDto | null;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_ANSWER_TEXT,
    description: 'shown to this person only',
    example: 'Build 4711 is out.',
  })
  @IsAnswerText()
  @IsOptional()
  ephemeral_text?: string | null;

  /** Validated by `parseMetadata`. */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'JSON text; blocks shown with `ephemeral_text`',
  })
  @Allow()
  metadata_json?: unknown;

  @ApiPropertyOptional({
    type: [SuggestedChoiceDto],
    maxItems: MAX_CHOICES,
    description:
      'suggested options; the only valid field for an answer to `command.options` or `modal.options`',
  })
  @NestedList(() => SuggestedChoiceDto)
  @ListOf({ max: MAX_CHOICES })
  @IsOptional()
  choices?: SuggestedChoiceDto[] | null;
}
