import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsTime } from '@tieline/delivery';
import { Convert, EMPTY_OR_UUID, emptyAsAbsent, IsText, IsUuid, toInt } from '@tieline/platform/http';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { SEARCHED_PARTS } from '../../text/index-document.js';
import type { SearchedPart } from '../../text/index-document.js';

const LIMIT = 'limit must be a whole number from 1 to 200';

/** A filter by an id. Empty counts as absent. */
function IdFilter(description: string): PropertyDecorator {
  return (target, key) => {
    ApiPropertyOptional({ pattern: EMPTY_OR_UUID, description })(target, key);
    IsOptional()(target, key);
    IsUuid()(target, key);
    Convert(emptyAsAbsent)(target, key);
  };
}

/** Query of GET /client/search/messages and GET /bot/search/messages. */
export class SearchMessagesQuery {
  @ApiPropertyOptional({
    maxLength: 200,
    description:
      'words, `"phrases"`, `prefix*` and `-word`; all words must occur; may be empty if there is a filter',
    example: 'deploy "release notes" -draft',
  })
  @IsOptional()
  @IsText(0, 200)
  q: string = '';

  @IdFilter('conversation; a channel includes its threads')
  in?: string;

  @IdFilter('author: a person, bot or incoming webhook')
  from?: string;

  @IsTime('sent before this time')
  before?: Date;

  @IsTime('sent at this time or later')
  after?: Date;

  @ApiPropertyOptional({ enum: SEARCHED_PARTS, description: 'only messages that have this' })
  @IsOptional()
  @Convert(emptyAsAbsent)
  @IsIn(SEARCHED_PARTS, { message: `has must be one of ${SEARCHED_PARTS.join(', ')}` })
  has?: SearchedPart;

  @IdFilter('root message of a thread: only the messages in the thread')
  thread?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: LIMIT })
  @Min(1, { message: LIMIT })
  @Max(200, { message: LIMIT })
  limit: number = 50;

  @ApiPropertyOptional({
    pattern: '^([0-9]{1,17}\\.[0-9a-f-]{36})?$',
    description: 'next_cursor of the previous page; empty for the first page',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  cursor: string = '';
}
