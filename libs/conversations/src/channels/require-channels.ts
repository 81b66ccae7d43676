import type { Queryable } from '@tieline/platform/database';
import type { ApiError } from '@tieline/platform/http';
import { COUNT_CHANNELS } from './channels.statements.js';

/**
 * Checks that every id is a channel or voice chat of the space, public or private, archived or not.
 * Admins use these ids to limit bots and webhooks.
 * @param archived the error to throw if one of them is archived; absent: archived ones are fine
 * @throws `refusal` for an unknown or foreign id, a thread, or a direct chat
 */
export async function requireChannels(
  q: Queryable,
  spaceId: string,
  ids: readonly string[],
  refusal: () => ApiError,
  archived?: () => ApiError,
): Promise<void> {
  if (ids.length === 0) return;
  const [row] = await q.query(COUNT_CHANNELS, [spaceId, ids]);
  if (row?.found !== new Set(ids).size) throw refusal();
  if (archived && row.archived > 0) throw archived();
}
