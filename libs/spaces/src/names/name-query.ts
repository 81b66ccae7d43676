import { ApiPropertyOptional } from '@nestjs/swagger';
import { Convert, emptyAsAbsent, IsText, PageQuery } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';

/** Query of a list that can be limited to names. */
export class NamedPageQuery extends PageQuery {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 100,
    description: 'only names that contain each of these words; case and accents do not matter',
    example: 'ann',
  })
  @IsOptional()
  @IsText(1, 100)
  @Convert(emptyAsAbsent)
  q?: string;
}

/** Returns the patterns for {@link nameMatches}, one per word. None, if there are no words. */
export function namePatterns(q = ''): string[] {
  const words = q.split(/\s+/u).filter((word) => word !== '');
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}

/**
 * SQL for whether a name contains every word, without regard to case and accents
 * (docs/search.md#people-and-conversations).
 * @param patterns a parameter with what {@link namePatterns} returned
 */
export const nameMatches = (column: string, patterns: string): string =>
  `folded(${column}) LIKE ALL (ARRAY(SELECT folded(pattern) FROM unnest(${patterns}::text[]) AS p (pattern)))`;
