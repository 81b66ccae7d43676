import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsOneLine, IsRequired, IsText, NestedList } from '@tieline/platform/http';
import { ArrayMaxSize, IsArray, IsIn, IsOptional } from 'class-validator';
import type { ShortcutSettings } from '../set-shortcuts.js';
import { SHORTCUT_TYPES } from '../shortcuts.statements.js';
import type { ShortcutType } from '../shortcuts.statements.js';

/** Shortcuts of a bot. */
export const MAX_SHORTCUTS = 25;
const MAX_ID = 255;
const MAX_NAME = 24;
const MAX_DESCRIPTION = 150;

/** A shortcut that a bot offers. */
export class ShortcutDto {
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_ID,
    description: "the bot's own name for the shortcut; unique among its shortcuts",
    example: 'new_ticket',
  })
  @IsOneLine(MAX_ID)
  @IsRequired()
  callback_id: string;

  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'New ticket' })
  @IsOneLine(MAX_NAME)
  @IsRequired()
  name: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MAX_DESCRIPTION,
    example: 'Opens a form for a ticket',
  })
  @IsOptional()
  @IsText(0, MAX_DESCRIPTION)
  description?: string | null;

  @ApiProperty({
    enum: SHORTCUT_TYPES,
    description: '`global` is available everywhere, `message` in the menu of a message',
    example: 'global',
  })
  @IsIn(SHORTCUT_TYPES)
  @IsRequired()
  type: ShortcutType;
}

/** Body of PUT /bot/shortcuts and PUT /admin/bots/{id}/shortcuts. */
@BodyExample('one of each type', {
  shortcuts: [
    { callback_id: 'new_ticket', name: 'New ticket', type: 'global' },
    { callback_id: 'file_ticket', name: 'File as ticket', type: 'message' },
  ],
})
export class SetShortcutsDto {
  @ApiProperty({
    type: [ShortcutDto],
    maxItems: MAX_SHORTCUTS,
    description: 'all shortcuts of the bot; others are deleted',
  })
  @NestedList(() => ShortcutDto, { unique: 'callback_id' })
  @ArrayMaxSize(MAX_SHORTCUTS)
  @IsArray()
  @IsRequired()
  shortcuts: ShortcutDto[];
}

/** Returns a valid shortcut of a body as settings. */
export const shortcutOf = ({
  callback_id: callbackId,
  name,
  description,
  type,
}: ShortcutDto): ShortcutSettings => ({
  callbackId,
  name,
  description: description ?? '',
  type,
});
