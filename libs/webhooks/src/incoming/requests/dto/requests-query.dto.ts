import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageQuery } from '@tieline/platform/http';
import { MAX_LOGGED_REQUESTS } from '../incoming-requests.statements.js';

/** Query of a webhook's request log. Returns the whole log by default. */
export class RequestsQuery extends PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: MAX_LOGGED_REQUESTS })
  override limit: number = MAX_LOGGED_REQUESTS;
}
