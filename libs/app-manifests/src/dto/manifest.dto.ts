import { ApiPropertyOptional } from '@nestjs/swagger';
import { BOT } from '@tieline/bots';
import { MAX_SHORTCUTS, ShortcutDto } from '@tieline/interactive';
import { Check, Nested, NestedList } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { RegisterCommandDto } from '@tieline/slash';
import { IsOptional } from 'class-validator';
import { MANIFEST } from '../manifest.js';
import { mustBeList, mustBeObject } from '../manifests.errors.js';

const MAX_COMMANDS = 25;

const { displayName, eventTypes, slackEvents, eventDeliveryMode } = BOT;

/** How the bot of the app is set up. */
export class ManifestBotDto extends bodyOf(
  { displayName, eventTypes, slackEvents, eventDeliveryMode },
  'update',
) {}

/** An app with its bot and commands, in Tieline's format. */
export class ManifestDto extends bodyOf(MANIFEST, 'create') {
  @ApiPropertyOptional({ type: ManifestBotDto, description: 'its bot, if `bot_scopes` has any' })
  @Nested(() => ManifestBotDto)
  @Check((value) => (isObject(value) ? undefined : mustBeObject('bot')))
  @IsOptional()
  bot?: ManifestBotDto | null;

  @ApiPropertyOptional({ type: [RegisterCommandDto], maxItems: MAX_COMMANDS })
  @NestedList(() => RegisterCommandDto, { unique: 'name' })
  @Check((value) =>
    Array.isArray(value) && value.length <= MAX_COMMANDS ? undefined : mustBeList('commands', MAX_COMMANDS),
  )
  @IsOptional()
  commands?: RegisterCommandDto[] | null;

  @ApiPropertyOptional({ type: [ShortcutDto], maxItems: MAX_SHORTCUTS })
  @NestedList(() => ShortcutDto, { unique: 'callback_id' })
  @Check((value) =>
    Array.isArray(value) && value.length <= MAX_SHORTCUTS
      ? undefined
      : mustBeList('shortcuts', MAX_SHORTCUTS),
  )
  @IsOptional()
  shortcuts?: ShortcutDto[] | null;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
