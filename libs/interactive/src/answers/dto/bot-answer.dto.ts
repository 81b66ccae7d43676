import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsOptional, ValidateBy } from 'class-validator';
import { characters, Nested } from '@tieline/platform/http';
import { isObject } from '../../schema/json-object.js';

export const MAX_ANSWER_TEXT = 4000;

export const IsAnswerText = (): PropertyDecorator =>
  keeps(
    (value) => typeof value === 'string' && value.trim() !== '' && characters(value) <= MAX_ANSWER_TEXT,
    `must be a text of 1 to ${MAX_ANSWER_TEXT} characters`,
  );

const IsJsonObject = (): PropertyDecorator => keeps(isObject, 'must be an object');

export const IsTrue = (): PropertyDecorator => keeps((value) => value === true, 'must be true');

/** A part that is left out is kept. */
export class BotAnswerUpdateDto {
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_ANSWER_TEXT, example: 'Deployed by Ann' })
  @IsAnswerText()
  @IsOptional()
  text?: string | null;

  /** Judged by `parseMetadata`. */
  @ApiPropertyOptional({ type: String, description: 'JSON text; "" removes all blocks', example: '' })
  @Allow()
  metadata_json?: unknown;
}

/** A new message in the conversation of the one that was clicked. */
export class BotAnswerMessageDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_ANSWER_TEXT, example: 'Build 4711 is being deployed' })
  @IsAnswerText()
  text: string;

  /** Judged by `parseMetadata`. */
  @ApiPropertyOptional({ type: String, description: 'JSON text' })
  @Allow()
  metadata_json?: unknown;
}

/**
 * Body of POST /bot/interactions/{interaction_id}/respond, and what a callback answers: exactly one of the five, or nothing
 * for noop (contract, Interactive, "Response types"). Null counts as absent.
 */
export class BotAnswerDto {
  @ApiPropertyOptional({ type: BotAnswerUpdateDto })
  @Nested(() => BotAnswerUpdateDto)
  @IsOptional()
  update_message?: BotAnswerUpdateDto | null;

  @ApiPropertyOptional({ type: BotAnswerMessageDto })
  @Nested(() => BotAnswerMessageDto)
  @IsOptional()
  send_message?: BotAnswerMessageDto | null;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_ANSWER_TEXT,
    description: 'for the person alone',
  })
  @IsAnswerText()
  @IsOptional()
  ephemeral_text?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'passed on as it is: title, submit_label, fields of {id, type: text | textarea | select | checkbox, label, required}',
  })
  @IsJsonObject()
  @IsOptional()
  open_modal?: Record<string, unknown> | null;

  @ApiPropertyOptional({ enum: [true] })
  @IsTrue()
  @IsOptional()
  noop?: true | null;
}

function keeps(validate: (value: unknown) => boolean, text: string): PropertyDecorator {
  return ValidateBy({ name: text, validator: { validate, defaultMessage: () => `$property: ${text}` } });
}
