import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { Nested, NestedList } from '@tieline/platform/http';
import { AnyText, ListOf, Matching, OneOf, Optional, TextOf, UuidList } from '../schema-rules.js';

/*
 * What a bot may send in blocks of type `actions` (contract, "Interactive schema" and Limits; decisions, sections 3 and 5).
 * Fields are judged in this order; unknown ones are ignored.
 */

const ACTION_ID = /^[a-z0-9_-]{1,64}$/;

export class ConfirmDto {
  @TextOf({ max: 75 })
  @Optional()
  title?: string | null;

  @TextOf({ max: 300 })
  @Optional()
  text?: string | null;

  @AnyText()
  @Optional()
  confirm_label?: string | null;

  @AnyText()
  @Optional()
  cancel_label?: string | null;
}

export class OptionDto {
  @TextOf({ min: 1, max: 150 })
  value: string;

  @TextOf({ min: 1, max: 75 })
  label: string;
}

export class ButtonDto {
  @ApiProperty({ enum: ['button'] })
  @Allow()
  type: 'button';

  @Matching(ACTION_ID)
  action_id: string;

  @TextOf({ min: 1, max: 75 })
  text: string;

  /** "" is unset. */
  @OneOf('primary', 'danger', 'default', '')
  @Optional()
  style?: string | null;

  @TextOf({ max: 2000 })
  @Optional()
  data?: string | null;

  @UuidList(100)
  @Optional()
  visibility_user_ids?: string[] | null;

  @ApiProperty({ type: ConfirmDto, required: false, nullable: true })
  @Nested(() => ConfirmDto)
  @Optional()
  confirm?: ConfirmDto | null;
}

export class SelectDto {
  @ApiProperty({ enum: ['select'] })
  @Allow()
  type: 'select';

  @Matching(ACTION_ID)
  action_id: string;

  @TextOf({ max: 100 })
  @Optional()
  placeholder?: string | null;

  @ApiProperty({ type: [OptionDto], minItems: 1, maxItems: 25 })
  @NestedList(() => OptionDto, { unique: 'value' })
  @ListOf({ min: 1, max: 25 })
  options: OptionDto[];

  @UuidList(100)
  @Optional()
  visibility_user_ids?: string[] | null;
}

class UnknownElement {
  @OneOf('button', 'select')
  type: string;
}

function elementClass(element: { type?: unknown }): new () => object {
  if (element.type === 'button') return ButtonDto;
  return element.type === 'select' ? SelectDto : UnknownElement;
}

export class ActionsBlockDto {
  @ApiProperty({ enum: ['actions'] })
  @Allow()
  type: 'actions';

  @ApiProperty({
    type: 'array',
    maxItems: 5,
    items: { oneOf: [{ $ref: getSchemaPath(ButtonDto) }, { $ref: getSchemaPath(SelectDto) }] },
  })
  @NestedList(elementClass)
  @ListOf({ max: 5 })
  elements: (ButtonDto | SelectDto)[];
}
