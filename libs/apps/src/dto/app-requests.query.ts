import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageQuery } from '@tieline/platform/http';
import { IsIn, IsOptional } from 'class-validator';
import { REQUEST_STATES } from '../requests/app-request.js';
import type { RequestState } from '../requests/app-request.js';

/** Query of GET /admin/app_requests. */
export class ListAppRequestsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: REQUEST_STATES, description: 'default: all' })
  @IsOptional()
  @IsIn(REQUEST_STATES)
  state?: RequestState;
}
