import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageQuery } from '@tieline/platform/http';
import { IsIn, IsOptional } from 'class-validator';

const FILTERS = ['all', 'success', 'failed'] as const;

/** Query of a delivery log: `failed` shows dead letters (decisions, section 7). */
export class DeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: FILTERS, default: 'all' })
  @IsOptional()
  @IsIn(FILTERS, { message: 'filter must be one of all, success, failed' })
  filter: (typeof FILTERS)[number] = 'all';
}
