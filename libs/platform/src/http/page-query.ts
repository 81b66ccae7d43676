import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { invalidField } from './api-error.js';
import { Convert, toInt } from './bodies/conversions.js';
import { isUuid } from './validation.js';

/** A uuid in any letter case, or the empty string. */
export const EMPTY_OR_UUID = '^([0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})?$';

/**
 * Query of every admin list: `limit` 1..200 (else 400, default 50) and the `cursor` of the previous
 * page.
 */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: 'limit must be a whole number from 1 to 200' })
  @Min(1, { message: 'limit must be a whole number from 1 to 200' })
  @Max(200, { message: 'limit must be a whole number from 1 to 200' })
  limit: number = 50;

  @ApiPropertyOptional({
    pattern: EMPTY_OR_UUID,
    description: 'next_cursor of the previous page; empty for the first page',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  cursor: string = '';
}

/** One page of a list. */
export interface Page<T> {
  rows: T[];
  /** "" at the end. */
  nextCursor: string;
}

/**
 * Returns the id that a page begins after, in lower case; "" for the first page. @throws 400 if it
 * is not an id
 */
export function pageCursor(cursor: string): string {
  if (cursor !== '' && !isUuid(cursor)) throw invalidField('cursor', 'invalid cursor');
  return cursor.toLowerCase();
}

/** Returns a page of a keyset list: fetch `limit + 1` rows, show `limit`. */
export function pageOf<T>(rows: T[], limit: number, cursorOf: (row: T) => string): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : '' };
}
