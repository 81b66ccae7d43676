import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageQuery } from '@tieline/platform/http';
import { KEPT_REQUESTS } from '../incoming-requests.statements.js';

/** Query of a webhook's request log: all that is kept, unless `limit` says otherwise. */
export class RequestsQuery extends PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: KEPT_REQUESTS })
  override limit: number = KEPT_REQUESTS;
}
