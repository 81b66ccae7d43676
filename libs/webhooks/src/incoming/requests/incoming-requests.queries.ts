import type { Queryable } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { Page } from '@tieline/platform/http';
import { LIST_REQUESTS } from './incoming-requests.statements.js';
import type { RequestRow } from './incoming-request.view.js';

/**
 * Returns a page of a webhook's request log, newest first, from its last 100 requests. @throws 400
 * for an invalid cursor
 */
export async function listRequests(
  q: Queryable,
  {
    spaceId,
    webhookId,
    limit,
    cursor,
  }: { spaceId: string; webhookId: string; limit: number; cursor: string },
): Promise<Page<RequestRow>> {
  const before = pageCursor(cursor) || null;
  const rows = await q.query(LIST_REQUESTS, { spaceId, webhookId, before, most: limit + 1 });
  return pageOf(rows, limit, ({ id }) => id);
}
