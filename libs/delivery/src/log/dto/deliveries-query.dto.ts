import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Convert, IsText, PageQuery, pageCursor, toInt } from '@tieline/platform/http';
import { FILTERS, STATUSES } from '../log-filters.js';
import type { DeliveryFilter, DeliveryStatus, LogFilters } from '../log-filters.js';
import { IsTime } from './is-time.js';

const CODE = 'code must be an HTTP status';

/** Filters of a delivery log. All given ones apply together. */
export class DeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: FILTERS,
    default: 'all',
    description: '`failed`: dead deliveries except those whose redelivery succeeded',
  })
  @IsOptional()
  @IsIn(FILTERS, { message: `filter must be one of ${FILTERS.join(', ')}` })
  filter: DeliveryFilter = 'all';

  @ApiPropertyOptional({ enum: STATUSES })
  @IsOptional()
  @IsIn(STATUSES, { message: `status must be one of ${STATUSES.join(', ')}` })
  status?: DeliveryStatus;

  @ApiPropertyOptional({ example: 'MESSAGE_CREATED' })
  @IsOptional()
  @IsText(1, 100)
  event_type?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 100, maximum: 599, description: 'the last HTTP status' })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: CODE })
  @Min(100, { message: CODE })
  @Max(599, { message: CODE })
  code?: number;

  @IsTime('created at this time or later')
  since?: Date;

  @IsTime('created before this time')
  until?: Date;
}

/**
 * Returns the filters of a query.
 * @throws 400 for an invalid cursor
 */
export function logFiltersOf(query: DeliveriesQuery): LogFilters & { limit: number } {
  const { filter, limit, status, event_type: eventType, code, since, until } = query;
  return {
    filter,
    limit,
    cursor: pageCursor(query.cursor),
    ...(status && { status }),
    ...(eventType !== undefined && { eventType }),
    ...(code !== undefined && { code }),
    ...(since && { since }),
    ...(until && { until }),
  };
}
