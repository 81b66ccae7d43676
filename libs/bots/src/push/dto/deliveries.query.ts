import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '@tieline/platform/http';

const FILTERS = ['all', 'success', 'failed'] as const;

/** Query of the delivery log. */
export class DeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: FILTERS, default: 'all', description: '`failed`: dead deliveries' })
  @IsOptional()
  @IsIn(FILTERS, { message: `filter must be one of ${FILTERS.join(', ')}` })
  filter: (typeof FILTERS)[number] = 'all';
}
