import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageQuery } from '@tieline/platform/http';

/** Query of GET /admin/bots/{id}/events. Cursors are ids of poll records. */
export class SentEventsQuery extends PageQuery {
  @ApiPropertyOptional({
    pattern: '^[0-9]{0,19}$',
    description: '`next_cursor` of the previous page; empty for the first page',
  })
  override cursor: string = '';
}
