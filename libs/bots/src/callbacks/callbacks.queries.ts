import { unprepared } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { Page } from '@tieline/platform/http';
import type { CallbackView } from './callback.view.js';
import type { CallbacksQuery } from './dto/callbacks-query.dto.js';
import { LIST_CALLBACKS, LIST_FAILED_CALLBACKS } from './callbacks.statements.js';

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Returns a page of a bot's callbacks, newest first.
 * @throws 400 for a bad cursor
 */
export async function listCallbacks(
  db: Db,
  spaceId: string,
  botId: string,
  { filter, limit, cursor }: CallbacksQuery,
): Promise<Page<CallbackView>> {
  const list = filter === 'failed' ? LIST_FAILED_CALLBACKS : LIST_CALLBACKS;
  const before = pageCursor(cursor) || LAST_ID;
  const rows = await db.query(unprepared(list), { botId, spaceId, before, limit: limit + 1 });
  return pageOf(rows.map(callbackView), limit, ({ callback_id }) => callback_id);
}

function callbackView(row: RowOf<typeof LIST_CALLBACKS>): CallbackView {
  const { id, statusCode, durationMs, createdAt, ...more } = row;
  return {
    callback_id: id,
    status_code: statusCode,
    duration_ms: durationMs,
    created_at: createdAt.toISOString(),
    ...more,
  };
}
