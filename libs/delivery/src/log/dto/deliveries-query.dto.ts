import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '@tieline/platform/http';

/** Which deliveries a log shows; failed: dead ones. */
const FILTERS = ['all', 'success', 'failed'] as const;
export type DeliveryFilter = (typeof FILTERS)[number];

/** Query of a delivery log (decisions, section 7). */
export class DeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: FILTERS, default: 'all', description: '`failed`: dead deliveries' })
  @IsOptional()
  @IsIn(FILTERS, { message: `filter must be one of ${FILTERS.join(', ')}` })
  filter: DeliveryFilter = 'all';
}
