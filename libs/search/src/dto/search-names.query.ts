import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Convert, IsText, toInt, Trimmed } from '@tieline/platform/http';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const LIMIT = 'limit must be a whole number from 1 to 200';

/** Query of GET /client/search/people and GET /client/search/conversations. */
export class SearchNamesQuery {
  @ApiProperty({
    minLength: 1,
    maxLength: 100,
    description: 'words that the name contains; case and accents do not matter',
    example: 'ann',
  })
  @IsText(1, 100)
  @Trimmed()
  q: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: LIMIT })
  @Min(1, { message: LIMIT })
  @Max(200, { message: LIMIT })
  limit: number = 50;
}
