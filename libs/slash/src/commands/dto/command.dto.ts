import { urlRefused } from '@tieline/egress';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { BodyExample, characters, Check, NestedList } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import {
  mustBeText,
  nameInvalid,
  nameRequired,
  optionsTooMany,
  requiredFirst,
  textTooLong,
} from '../../slash.errors.js';
import { isCommandName } from '../command-name.js';
import { CommandOptionDto } from '../options/dto/command-option.dto.js';

const MAX_DESCRIPTION = 200;
const MAX_USAGE_HINT = 100;
const MAX_URL = 2048;
const MAX_OPTIONS = 25;

const NAME = {
  pattern: '^[a-z][a-z0-9_-]*$',
  minLength: 1,
  maxLength: 32,
  description: 'without the slash; unique in the space',
  example: 'deploy',
};

function nameRule(value: unknown): ApiError | undefined {
  if (value === undefined || value === null) return nameRequired();
  if (typeof value !== 'string') return mustBeText('name');
  return isCommandName(value) ? undefined : nameInvalid();
}

/** Optional fields of both bodies. Null counts as absent. */
class CommandSettingsDto {
  @ApiPropertyOptional({ type: String, maxLength: MAX_DESCRIPTION, example: 'Deploys a service' })
  @Check((value) => textProblem('description', value, MAX_DESCRIPTION))
  @IsOptional()
  description?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: MAX_USAGE_HINT, example: '<service> [version]' })
  @Check((value) => textProblem('usage_hint', value, MAX_USAGE_HINT))
  @IsOptional()
  usage_hint?: string | null;

  /** The egress policy validates the address itself. */
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_URL,
    description: 'public HTTPS address; required unless the bot is in poll mode',
    example: 'https://example.com/slash',
  })
  @Check((value) =>
    typeof value === 'string' && value.length <= MAX_URL
      ? undefined
      : urlRefused('callback_url', 'invalid_url'),
  )
  @IsOptional()
  callback_url?: string | null;

  /** In PATCH they replace all existing options. */
  @ApiPropertyOptional({
    type: [CommandOptionDto],
    maxItems: MAX_OPTIONS,
    description: 'typed options instead of free text; required ones first',
  })
  @NestedList(() => CommandOptionDto, { unique: 'name' })
  @Check(optionsProblem)
  @IsOptional()
  options?: CommandOptionDto[] | null;
}

/** Body of POST /bots/{bot_id}/commands. */
@BodyExample('a command', { name: 'deploy', callback_url: 'https://example.com/slash' })
export class RegisterCommandDto extends CommandSettingsDto {
  @ApiProperty(NAME)
  @Check(nameRule)
  name: string;
}

/** Body of PATCH /bots/{bot_id}/commands/{command_id}. Absent and null fields stay unchanged. */
@BodyExample('a new description', { description: 'Deploys a service' })
export class UpdateCommandDto extends CommandSettingsDto {
  @ApiPropertyOptional({ ...NAME, type: String })
  @Check(nameRule)
  @IsOptional()
  name?: string | null;
}

function optionsProblem(value: unknown): ApiError | undefined {
  if (!Array.isArray(value) || value.length > MAX_OPTIONS) return optionsTooMany(MAX_OPTIONS);
  const required = value.map((option: { required?: unknown } | null) => option?.required === true);
  return required.lastIndexOf(true) === required.filter(Boolean).length - 1 ? undefined : requiredFirst();
}

function textProblem(field: string, value: unknown, max: number): ApiError | undefined {
  if (typeof value !== 'string') return mustBeText(field);
  return characters(value) > max ? textTooLong(field, max) : undefined;
}
