import { callbackUrlRefused } from '@tieline/egress';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { characters, Check } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { mustBeText, nameInvalid, textTooLong } from '../../slash.errors.js';
import { isCommandName } from '../command-name.js';

const MAX_DESCRIPTION = 200;
const MAX_USAGE_HINT = 100;
const MAX_URL = 2048;

/** Body of POST /bots/{bot_id}/commands (contract, "Custom slash commands"). Null counts as absent. */
export class RegisterCommandDto {
  @ApiProperty({
    pattern: '^[a-z][a-z0-9_-]*$',
    minLength: 1,
    maxLength: 32,
    description: 'without the slash; unique in the space',
    example: 'deploy',
  })
  @Check((value) => (isCommandName(value) ? undefined : nameInvalid()))
  name: string;

  @ApiPropertyOptional({ type: String, maxLength: MAX_DESCRIPTION, example: 'Deploys a service' })
  @Check((value) => textProblem('description', value, MAX_DESCRIPTION))
  @IsOptional()
  description?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: MAX_USAGE_HINT, example: '<service> [version]' })
  @Check((value) => textProblem('usage_hint', value, MAX_USAGE_HINT))
  @IsOptional()
  usage_hint?: string | null;

  /** The egress policy judges the address itself. */
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_URL,
    description: 'HTTPS and public; required unless the bot is in poll mode',
    example: 'https://example.com/slash',
  })
  @Check((value) =>
    typeof value === 'string' && value.length <= MAX_URL ? undefined : callbackUrlRefused('invalid_url'),
  )
  @IsOptional()
  callback_url?: string | null;
}

function textProblem(field: string, value: unknown, max: number): ApiError | undefined {
  if (typeof value !== 'string') return mustBeText(field);
  return characters(value) > max ? textTooLong(field, max) : undefined;
}
