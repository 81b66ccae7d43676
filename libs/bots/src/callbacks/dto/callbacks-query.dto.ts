import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '@tieline/platform/http';

const FILTERS = ['all', 'failed'] as const;

/** Query of a bot's callbacks. */
export class CallbacksQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: FILTERS,
    default: 'all',
    description: '`failed`: no answer, or an invalid one',
  })
  @IsOptional()
  @IsIn(FILTERS, { message: `filter must be one of ${FILTERS.join(', ')}` })
  filter: (typeof FILTERS)[number] = 'all';
}
