import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, ValidateBy } from 'class-validator';
import { bodyReader, NestedList } from '@tieline/platform/http';
import { ListOf, OneOf, Optional, TextOf } from '../../../schema/schema-rules.js';
import { FIELD_TYPES } from '../modal-field.js';
import type { FieldType } from '../modal-field.js';

/*
 * A modal with `"validate": true`. Fields are checked in the order of these properties; unknown
 * ones are ignored.
 */

const MAX_PRIVATE_METADATA = 3000;
const MAX_LENGTH = 65_536;

const Flag = (): PropertyDecorator =>
  validatedBy({ type: Boolean }, (value) => typeof value === 'boolean', 'must be true or false');

const Length = (): PropertyDecorator =>
  validatedBy(
    { type: 'integer', minimum: 0, maximum: MAX_LENGTH },
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_LENGTH,
    `must be a whole number from 0 to ${MAX_LENGTH}`,
  );

export class ModalOptionDto {
  @TextOf({ min: 1, max: 150 })
  label: string;

  @TextOf({ min: 1, max: 150 })
  value: string;
}

export class ModalFieldDto {
  @TextOf({ min: 1, max: 64 })
  id: string;

  @OneOf(...FIELD_TYPES)
  type: FieldType;

  @TextOf({ min: 1, max: 150 })
  label: string;

  @Flag()
  @Optional()
  required?: boolean | null;

  @TextOf({ max: 150 })
  @Optional()
  placeholder?: string | null;

  @ApiPropertyOptional({
    description: 'initial value; must be valid for the field',
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { type: 'string' } },
    ],
  })
  @Allow()
  initial?: unknown;

  @ApiPropertyOptional({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    description:
      'limits the value of number, date and time, and the number of choices of multi_select and checkboxes',
  })
  @Allow()
  min?: unknown;

  @ApiPropertyOptional({ oneOf: [{ type: 'number' }, { type: 'string' }] })
  @Allow()
  max?: unknown;

  @Length()
  @Optional()
  min_length?: number | null;

  @Length()
  @Optional()
  max_length?: number | null;

  /** RE2; must match the whole text. */
  @TextOf({ min: 1, max: 200 })
  @Optional()
  pattern?: string | null;

  @ApiProperty({ type: [ModalOptionDto], minItems: 1, maxItems: 100, required: false })
  @NestedList(() => ModalOptionDto, { unique: 'value' })
  @ListOf({ min: 1, max: 100 })
  @Optional()
  options?: ModalOptionDto[] | null;

  @OneOf('bot')
  @Optional()
  options_from?: 'bot' | null;
}

export class ModalDto {
  @ApiProperty({
    type: Boolean,
    description: '`true`; otherwise the modal is passed on unchanged',
    example: true,
  })
  @Allow()
  validate: true;

  @TextOf({ min: 1, max: 100 })
  title: string;

  @TextOf({ min: 1, max: 75 })
  @Optional()
  submit_label?: string | null;

  @TextOf({ min: 1, max: 75 })
  @Optional()
  close_label?: string | null;

  /** Returned to the bot with the submission; never shown to people. */
  @TextOf({ max: MAX_PRIVATE_METADATA })
  @Optional()
  private_metadata?: string | null;

  /** Sends `modal.closed` to the bot. */
  @Flag()
  @Optional()
  notify_on_close?: boolean | null;

  @ApiProperty({ type: [ModalFieldDto], minItems: 1, maxItems: 30 })
  @NestedList(() => ModalFieldDto, { unique: 'id' })
  @ListOf({ min: 1, max: 30 })
  fields: ModalFieldDto[];
}

/** @throws 400 with the place of the first error that concerns a single field */
export const readModal = bodyReader(ModalDto);

function validatedBy(
  schema: Parameters<typeof ApiProperty>[0],
  validate: (value: unknown) => boolean,
  text: string,
): PropertyDecorator {
  return (target, key) => {
    ApiProperty(schema)(target, key);
    ValidateBy({ name: text, validator: { validate, defaultMessage: () => `$property: ${text}` } })(
      target,
      key as string,
    );
  };
}
