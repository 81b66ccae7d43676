import type { Tx } from '@tieline/platform/database';
import { unknownChannels } from '../bots.errors.js';
import { COUNT_CHANNELS } from './bots.statements.js';

/**
 * Makes sure that every id is a channel or voice chat of the space, archived or not: what `channel_ids` may name.
 * @throws 400 for an unknown or foreign id, a thread, or a direct chat
 */
export async function requireChannels(tx: Tx, spaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const [row] = await tx.query(COUNT_CHANNELS, [spaceId, ids]);
  if (row?.found !== new Set(ids).size) throw unknownChannels();
}
