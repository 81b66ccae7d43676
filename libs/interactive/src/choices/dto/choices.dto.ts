import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { bodyReader, characters, IsText, NestedList } from '@tieline/platform/http';
import { ListOf } from '../../schema/schema-rules.js';
import type { Choice } from '../choice.view.js';

export const MAX_CHOICES = 25;
const MAX_CHARACTERS = 100;

/** One suggestion of a bot. */
export class SuggestedChoiceDto {
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_CHARACTERS,
    description: 'shown to people',
    example: 'api v1.4.2',
  })
  @IsText(1, MAX_CHARACTERS)
  name: string;

  @ApiProperty({
    oneOf: [{ type: 'string', minLength: 1, maxLength: MAX_CHARACTERS }, { type: 'number' }],
    description: 'sent to the bot when chosen',
    example: 'v1.4.2',
  })
  @ValidateBy({
    name: 'isChoiceValue',
    validator: {
      validate: isValue,
      defaultMessage: () => `$property must be a text of 1 to ${MAX_CHARACTERS} characters, or a number`,
    },
  })
  value: string | number;
}

/** Answer of a callback to a request for suggestions. Without `choices` there are none. */
export class ChoicesDto {
  @ApiPropertyOptional({ type: [SuggestedChoiceDto], maxItems: MAX_CHOICES })
  @NestedList(() => SuggestedChoiceDto)
  @ListOf({ max: MAX_CHOICES })
  @IsOptional()
  choices?: SuggestedChoiceDto[] | null;
}

const read = bodyReader(ChoicesDto);

/** Reads suggestions. @throws 400 that names the invalid field */
export function readChoices(given: object | undefined): Choice[] {
  return choicesOf(read(given ?? {}).choices ?? []);
}

export function choicesOf(choices: readonly SuggestedChoiceDto[]): Choice[] {
  return choices.map(({ name, value }) => ({
    name: name.toWellFormed(),
    value: String(value).toWellFormed(),
  }));
}

function isValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'string' || value.includes('\0')) return false;
  const length = characters(value);
  return length >= 1 && length <= MAX_CHARACTERS;
}
