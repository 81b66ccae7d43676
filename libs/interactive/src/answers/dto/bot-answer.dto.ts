import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Allow, IsOptional, ValidateBy } from 'class-validator';
import { BodyExample, characters, isBlankText, Nested } from '@tieline/platform/http';
import { ModalDto } from '../../modals/validated/dto/modal.dto.js';
import { isObject } from '../../schema/json-object.js';
import { rule } from '../../schema/schema-rules.js';

export const MAX_ANSWER_TEXT = 4000;

export const IsAnswerText = (): PropertyDecorator =>
  rule((value) => {
    if (typeof value !== 'string') return 'must be a string';
    const fits = !isBlankText(value) && characters(value) <= MAX_ANSWER_TEXT;
    return fits ? undefined : `must be a text of 1 to ${MAX_ANSWER_TEXT} characters`;
  });

/** A modal. With `"validate": true` it must follow the rules of `ModalDto`. */
export const IsModal =
  (description: string, { required = false } = {}): PropertyDecorator =>
  (target, key) => {
    const asGiven = {
      title: 'ModalAsGivenDto',
      type: 'object',
      properties: { validate: { type: 'boolean', description: 'absent or `false`' } },
      additionalProperties: true,
    } as const;
    const schema = { anyOf: [{ $ref: getSchemaPath(ModalDto) }, asGiven], description };
    type Options = Parameters<typeof ApiPropertyOptional>[0];
    if (required) ApiProperty({ type: 'object', ...schema } as Options)(target, key);
    else ApiPropertyOptional({ type: 'object', ...schema, nullable: true } as Options)(target, key);
    rule((value) => {
      if (required && (value === undefined || value === null)) return 'is required';
      return isObject(value) ? undefined : 'must be an object';
    })(target, key);
  };

const MAX_ERRORS = 100;
const MAX_ERROR = 300;

const IsFieldErrors = (): PropertyDecorator =>
  validatedBy(
    isFieldErrors,
    `must be an object with up to ${MAX_ERRORS} texts of 1 to ${MAX_ERROR} characters, keyed by field id`,
  );

export const IsTrue = (): PropertyDecorator => validatedBy((value) => value === true, 'must be true');

/** At least one field is required. The other one stays unchanged. */
export class BotAnswerUpdateDto {
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_ANSWER_TEXT, example: 'Deployed by Ann' })
  @IsAnswerText()
  @IsOptional()
  text?: string | null;

  /** Validated by `parseMetadata`. */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'JSON text; "" removes all blocks',
    example: '',
  })
  @Allow()
  metadata_json?: unknown;
}

/** A new message in the conversation of the clicked message. */
export class BotAnswerMessageDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_ANSWER_TEXT, example: 'Build 4711 is being deployed' })
  @IsAnswerText()
  text: string;

  /** Validated by `parseMetadata`. */
  @ApiPropertyOptional({ type: String, nullable: true, description: 'JSON text' })
  @Allow()
  metadata_json?: unknown;
}

/**
 * Body of POST /bot/interactions/{interaction_id}/respond, and the answer of a callback. Exactly
 * one field, or none for noop. The last three fields are for submitted modals only. Null counts as
 * absent.
 */
@BodyExample('a message for this person only', { ephemeral_text: 'It will go live.' })
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
    description: 'shown to this person only',
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

  @IsModal(
    'passed on unchanged: title, submit_label, fields of {id, type: text | textarea | select | checkbox, label, required}',
  )
  @IsOptional()
  open_modal?: Record<string, unknown> | null;

  @ApiPropertyOptional({ type: Boolean, description: 'only `true`' })
  @IsTrue()
  @IsOptional()
  noop?: true | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'answers a submitted modal, which stays open: an error message for the person per field id',
    example: { reason: 'This change needs a ticket.' },
  })
  @IsFieldErrors()
  @IsOptional()
  errors?: Record<string, string> | null;

  @IsModal('answers a submitted modal: replaces the form; the token stays the same and its lifetime restarts')
  @IsOptional()
  update_modal?: Record<string, unknown> | null;

  @IsModal('answers a submitted modal: opens another form on top, with its own token; up to three levels')
  @IsOptional()
  push_modal?: Record<string, unknown> | null;
}

function validatedBy(validate: (value: unknown) => boolean, text: string): PropertyDecorator {
  return ValidateBy({ name: text, validator: { validate, defaultMessage: () => `$property: ${text}` } });
}

function isFieldErrors(given: unknown): boolean {
  if (!isObject(given)) return false;
  const { length } = Object.keys(given);
  return length > 0 && length <= MAX_ERRORS && Object.values(given).every(isErrorText);
}

function isErrorText(text: unknown): boolean {
  return typeof text === 'string' && !isBlankText(text) && characters(text) <= MAX_ERROR;
}
