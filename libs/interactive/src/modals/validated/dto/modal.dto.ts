import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, ValidateBy } from 'class-validator';
import { bodyReader, NestedList } from '@tieline/platform/http';
import { ListOf, OneOf, Optional, TextOf } from '../../../schema/schema-rules.js';
import { FIELD_TYPES } from '../modal-field.js';
import type { FieldType } from '../modal-field.js';

/*
 * A modal with `"validate": true` (decisions, section 11.6). Fields are validated in this order;
 * unknown ones are ignored.
 */

export const MAX_PRIVATE_METADATA = 3000;
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
    description: 'what is filled in; it must fit the field',
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
    description: 'of number, date and time the value; of multi_select and checkboxes how many are chosen',
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

  /** RE2, of the whole text. */
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
  @ApiProperty({ type: Boolean, description: '`true`, or the modal is passed on as it is', example: true })
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

  /** Comes back with the submission; people never see it. */
  @TextOf({ max: MAX_PRIVATE_METADATA })
  @Optional()
  private_metadata?: string | null;

  /** The bot gets `modal.closed`. */
  @Flag()
  @Optional()
  notify_on_close?: boolean | null;

  @ApiProperty({ type: [ModalFieldDto], minItems: 1, maxItems: 30 })
  @NestedList(() => ModalFieldDto, { unique: 'id' })
  @ListOf({ min: 1, max: 30 })
  fields: ModalFieldDto[];
}

/** @throws 400 with the place of what breaks a rule that needs one field alone */
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
