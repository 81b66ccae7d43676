import type { Queryable } from '@tieline/platform/database';
import { CHANNELS_AMONG } from './channels.statements.js';

/** Whether all of these are channels or voice chats of the space, public or private, archived or not: no DMs, no threads. */
export async function areChannels(q: Queryable, spaceId: string, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  return (await q.query(CHANNELS_AMONG, [spaceId, ids])).length === ids.length;
}
