import type { Tx } from '@tieline/platform/database';
import { findMembersOfSpace } from '@tieline/conversations';
import { unknownChannel, unknownMentioned } from '../outgoing-webhooks.errors.js';
import type { SubscriptionSettings } from './subscription-settings.js';

/**
 * Checks that the channels and people that settings name are of this space: channels and voice chats, public or private,
 * archived or not, but no DMs and no threads.
 * @throws 400 for any other id
 */
export async function requireReferences(
  tx: Tx,
  spaceId: string,
  { channelIds = [], triggerConfig }: Partial<Pick<SubscriptionSettings, 'channelIds' | 'triggerConfig'>>,
): Promise<void> {
  await requireChannels(tx, spaceId, channelIds);
  const userIds = triggerConfig?.user_ids ?? [];
  if (userIds.length === 0) return;
  const known = await findMembersOfSpace(tx, spaceId, userIds);
  if (!userIds.every((id) => known.has(id))) throw unknownMentioned();
}

async function requireChannels(tx: Tx, spaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.query(
    `SELECT 1 FROM conversations WHERE space_id = $1 AND id = ANY($2::uuid[]) AND scope <> 'dm' AND root_message_id IS NULL`,
    [spaceId, ids],
  );
  if (rows.length !== ids.length) throw unknownChannel();
}
