import type { Queryable } from '@tieline/platform/database';
import { badRequest, isUuid, pageOf } from '@tieline/platform/http';
import { KEPT_REQUESTS } from './request-log.js';
import type { RequestRow } from './incoming-request.view.js';

/** A page of a webhook's request log, newest first; no more than the last hundred. @throws 400 for a cursor that is none */
export async function listRequests(
  q: Queryable,
  {
    spaceId,
    webhookId,
    limit,
    cursor,
  }: { spaceId: string; webhookId: string; limit: number; cursor: string },
): Promise<{ rows: RequestRow[]; nextCursor: string }> {
  if (cursor !== '' && !isUuid(cursor)) throw badRequest('invalid cursor');
  const rows = await q.query<RequestRow>(
    `SELECT id, at, address, status, reason, notes, body, message_id AS "messageId" FROM (
       SELECT * FROM incoming_requests WHERE space_id = $1 AND webhook_id = $2 ORDER BY id DESC LIMIT ${KEPT_REQUESTS}) AS kept
      WHERE $3::uuid IS NULL OR id < $3::uuid ORDER BY id DESC LIMIT $4`,
    [spaceId, webhookId, cursor === '' ? null : cursor, limit + 1],
  );
  return pageOf(rows, limit, ({ id }) => id);
}
