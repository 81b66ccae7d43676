import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { characters, Check, invalidField, isUuid } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';

const MAX_KEYWORDS = 20;
const MIN_CHARACTERS = 2;
const MAX_CHARACTERS = 100;
const MAX_USER_IDS = 100;

/** `trigger_config` of trigger `keywords`. Keywords are trimmed. */
export class KeywordsConfigDto {
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_KEYWORDS, example: ['deploy', 'on call'] })
  @Check((keywords) =>
    (keywords as unknown[]).every(isKeyword)
      ? undefined
      : invalidField(
          'trigger_config.keywords',
          `each keyword must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`,
        ),
  )
  @Check((keywords) =>
    isList(keywords, 1, MAX_KEYWORDS)
      ? undefined
      : invalidField(
          'trigger_config.keywords',
          `trigger_config.keywords must be a list of 1 to ${MAX_KEYWORDS} keywords`,
        ),
  )
  keywords: string[];
}

/** `trigger_config` of trigger `mention`. Without ids any mention matches. */
export class MentionConfigDto {
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_USER_IDS })
  @Check((ids) =>
    isList(ids, 0, MAX_USER_IDS) && ids.every(isUuid)
      ? undefined
      : invalidField(
          'trigger_config.user_ids',
          `trigger_config.user_ids must be a list of up to ${MAX_USER_IDS} uuids`,
        ),
  )
  @IsOptional()
  user_ids?: string[] | null;
}

function isList(value: unknown, min: number, max: number): value is unknown[] {
  return Array.isArray(value) && value.length >= min && value.length <= max;
}

function isKeyword(value: unknown): boolean {
  const count = typeof value === 'string' ? characters(value.trim()) : 0;
  return count >= MIN_CHARACTERS && count <= MAX_CHARACTERS;
}
