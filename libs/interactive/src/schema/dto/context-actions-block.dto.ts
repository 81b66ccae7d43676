import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Nested, NestedList } from '@tieline/platform/http';
import { Allow } from 'class-validator';
import { ListOf, Matching, OneOf, Optional, TextOf, UuidList } from '../schema-rules.js';
import { ACTION_ID } from './element-parts.dto.js';

/* Schema of blocks of type `context_actions`. Unknown fields are ignored. */

/** Icons that clients can draw. */
const ICONS = [
  'copy',
  'refresh',
  'delete',
  'edit',
  'share',
  'download',
  'bookmark',
  'flag',
  'info',
  'settings',
] as const;

class FeedbackButtonDto {
  @TextOf({ min: 1, max: 75 })
  @Optional()
  text?: string | null;

  @TextOf({ max: 2000 })
  @Optional()
  data?: string | null;
}

class FeedbackButtonsDto {
  @ApiProperty({ enum: ['feedback_buttons'] })
  @Allow()
  type: 'feedback_buttons';

  @Matching(ACTION_ID)
  action_id: string;

  @ApiProperty({ type: FeedbackButtonDto, required: false, nullable: true })
  @Nested(() => FeedbackButtonDto)
  @Optional()
  positive?: FeedbackButtonDto | null;

  @ApiProperty({ type: FeedbackButtonDto, required: false, nullable: true })
  @Nested(() => FeedbackButtonDto)
  @Optional()
  negative?: FeedbackButtonDto | null;
}

class IconButtonDto {
  @ApiProperty({ enum: ['icon_button'] })
  @Allow()
  type: 'icon_button';

  @Matching(ACTION_ID)
  action_id: string;

  @OneOf(...ICONS)
  icon: string;

  @TextOf({ min: 1, max: 75 })
  text: string;

  @TextOf({ max: 2000 })
  @Optional()
  data?: string | null;

  @UuidList(100)
  @Optional()
  visible_to?: string[] | null;
}

const ELEMENTS = new Map<unknown, new () => { action_id: string }>([
  ['feedback_buttons', FeedbackButtonsDto],
  ['icon_button', IconButtonDto],
]);

class UnknownElement {
  @OneOf(...([...ELEMENTS.keys()] as string[]))
  type: string;
}

export class ContextActionsBlockDto {
  @ApiProperty({ enum: ['context_actions'] })
  @Allow()
  type: 'context_actions';

  @ApiProperty({
    type: 'array',
    maxItems: 5,
    items: { oneOf: [...ELEMENTS.values()].map((Class) => ({ $ref: getSchemaPath(Class) })) },
  })
  @NestedList(({ type }: { type?: unknown }) => ELEMENTS.get(type) ?? UnknownElement)
  @ListOf({ max: 5 })
  elements: { type: string; action_id: string }[];
}

/** The classes of a block, for OpenAPI. */
export const CONTEXT_BLOCK_CLASSES = [ContextActionsBlockDto, ...ELEMENTS.values()];
