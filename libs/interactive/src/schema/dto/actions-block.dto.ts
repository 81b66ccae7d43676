import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { NestedList } from '@tieline/platform/http';
import { CONTEXT_BLOCK_CLASSES } from './context-actions-block.dto.js';
import { ListOf, OneOf } from '../schema-rules.js';
import { ButtonDto } from './button.dto.js';
import { CheckboxesDto, MultiSelectDto, OverflowDto, RadioDto, SelectDto } from './choice-elements.dto.js';
import { ConversationSelectDto, DatePickerDto, TimePickerDto, UserSelectDto } from './picker-elements.dto.js';

/*
 * Schema of blocks of type `actions`. An element's own fields are validated before the common ones;
 * unknown fields are ignored.
 */

const ELEMENTS = new Map<unknown, new () => { action_id: string }>([
  ['button', ButtonDto],
  ['select', SelectDto],
  ['multi_select', MultiSelectDto],
  ['user_select', UserSelectDto],
  ['conversation_select', ConversationSelectDto],
  ['date_picker', DatePickerDto],
  ['time_picker', TimePickerDto],
  ['overflow', OverflowDto],
  ['checkboxes', CheckboxesDto],
  ['radio', RadioDto],
]);

class UnknownElement {
  @OneOf(...([...ELEMENTS.keys()] as string[]))
  type: string;
}

export class ActionsBlockDto {
  @ApiProperty({ enum: ['actions'] })
  @Allow()
  type: 'actions';

  @ApiProperty({
    type: 'array',
    maxItems: 5,
    items: { oneOf: [...ELEMENTS.values()].map((Class) => ({ $ref: getSchemaPath(Class) })) },
  })
  @NestedList(({ type }: { type?: unknown }) => ELEMENTS.get(type) ?? UnknownElement)
  @ListOf({ max: 5 })
  elements: { action_id: string }[];
}

/** The classes of interactive blocks, for OpenAPI. */
export const BLOCK_CLASSES = [ActionsBlockDto, ...ELEMENTS.values(), ...CONTEXT_BLOCK_CLASSES];
