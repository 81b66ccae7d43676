import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, ValidateIf } from 'class-validator';
import { Check, IsText, NestedList } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';
import { optionRule } from '../../../slash.errors.js';
import { isCommandName } from '../../command-name.js';
import { MAX_OPTION_TEXT, OPTION_TYPES } from '../command-option.js';
import type { OptionType } from '../command-option.js';

const MAX_CHOICES = 25;

type Rule = (value: unknown, option: CommandOptionDto) => ApiError | undefined;

/** An allowed value of a choice. */
export class OptionChoiceDto {
  @ApiProperty({ minLength: 1, maxLength: 100, description: 'shown to people', example: 'Production' })
  @IsText(1, 100)
  name: string;

  @ApiProperty({ minLength: 1, maxLength: 100, description: 'sent to the bot', example: 'live' })
  @IsText(1, 100)
  value: string;
}

/** An option of a command. Null counts as absent. */
export class CommandOptionDto {
  @ApiProperty({ pattern: '^[a-z][a-z0-9_-]*$', minLength: 1, maxLength: 32, example: 'stage' })
  @Check((value) =>
    isCommandName(value) ? undefined : optionRule('must follow the rules for command names'),
  )
  name: string;

  @ApiPropertyOptional({ type: String, maxLength: 200, example: 'Where to' })
  @IsText(0, 200)
  @IsOptional()
  description?: string | null;

  @ApiProperty({ enum: OPTION_TYPES, example: 'choice' })
  @IsIn(OPTION_TYPES, { message: `$property: must be one of ${OPTION_TYPES.join(', ')}` })
  type: OptionType;

  @ApiPropertyOptional({ type: Boolean, default: false })
  @IsBoolean({ message: '$property: must be true or false' })
  @IsOptional()
  required?: boolean | null;

  @ApiPropertyOptional({ type: Number, description: 'for integer and number' })
  @Check(numberRule)
  @IsOptional()
  min?: number | null;

  @ApiPropertyOptional({ type: Number, description: 'for integer and number' })
  @Check((value, option: CommandOptionDto) => numberRule(value, option) ?? notBelow(value, option.min, 'min'))
  @IsOptional()
  max?: number | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_OPTION_TEXT, description: 'for string' })
  @Check(lengthRule)
  @IsOptional()
  min_length?: number | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_OPTION_TEXT, description: 'for string' })
  @Check(
    (value, option: CommandOptionDto) =>
      lengthRule(value, option) ??
      (value === 0 ? optionRule('must be 1 or more') : notBelow(value, option.min_length, 'min_length')),
  )
  @IsOptional()
  max_length?: number | null;

  @ApiPropertyOptional({
    type: [OptionChoiceDto],
    minItems: 1,
    maxItems: MAX_CHOICES,
    description: 'required for choice',
  })
  @NestedList(() => OptionChoiceDto, { unique: ['value', 'name'] })
  @Check(choicesRule)
  @ValidateIf(({ type, choices }: CommandOptionDto) => type === 'choice' || choices != null)
  choices?: OptionChoiceDto[] | null;

  @ApiPropertyOptional({ type: Boolean, default: false, description: 'for string, integer and number' })
  @Check(autocompleteRule)
  @IsBoolean({ message: '$property: must be true or false' })
  @IsOptional()
  autocomplete?: boolean | null;
}

function numberRule(...[value, { type }]: Parameters<Rule>): ReturnType<Rule> {
  if (type !== 'integer' && type !== 'number') return optionRule('is only allowed for integer and number');
  if (type === 'integer' && !Number.isSafeInteger(value)) return optionRule('must be a whole number');
  return Number.isFinite(value) ? undefined : optionRule('must be a number');
}

function lengthRule(...[value, { type }]: Parameters<Rule>): ReturnType<Rule> {
  if (type !== 'string') return optionRule('is only allowed for string');
  const isLength = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_OPTION_TEXT;
  return isLength ? undefined : optionRule(`must be a whole number from 0 to ${MAX_OPTION_TEXT}`);
}

function notBelow(value: unknown, min: unknown, name: string): ApiError | undefined {
  return typeof min === 'number' && (value as number) < min
    ? optionRule(`must not be less than ${name}`)
    : undefined;
}

function choicesRule(...[value, { type }]: Parameters<Rule>): ReturnType<Rule> {
  if (type !== 'choice') return optionRule('is only allowed for choice');
  const isList = Array.isArray(value) && value.length >= 1 && value.length <= MAX_CHOICES;
  return isList ? undefined : optionRule(`must be a list of 1 to ${MAX_CHOICES} choices`);
}

function autocompleteRule(...[value, { type }]: Parameters<Rule>): ReturnType<Rule> {
  const mayAsk = type === 'string' || type === 'integer' || type === 'number';
  return value === true && !mayAsk ? optionRule('is only allowed for string, integer and number') : undefined;
}
