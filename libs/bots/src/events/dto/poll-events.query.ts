import { ApiPropertyOptional } from '@nestjs/swagger';
import { Convert, toInt } from '@tieline/platform/http';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

const LIMIT = 'limit must be a whole number from 1 to 500';
const WAIT = 'wait must be a whole number of seconds from 0 to 25';

/** Query of GET /bot/events. */
export class PollEventsQuery {
  @ApiPropertyOptional({
    pattern: '^[0-9]{0,19}$',
    description: 'id of the last received record; empty for the first page',
  })
  @IsOptional()
  @Matches(/^(?:[0-9]{1,19})?$/, { message: 'invalid cursor' })
  cursor: string = '';

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 500, default: 50 })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: LIMIT })
  @Min(1, { message: LIMIT })
  @Max(500, { message: LIMIT })
  limit: number = 50;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 25,
    default: 0,
    description: 'seconds to wait for a record if there is none',
  })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: WAIT })
  @Min(0, { message: WAIT })
  @Max(25, { message: WAIT })
  wait: number = 0;
}
