import type { Tx } from '@tieline/platform/database';
import { requireChannels } from '@tieline/conversations';
import type { MemberDirectory } from '@tieline/conversations';
import { unknownChannel, unknownMentioned } from '../../outgoing-webhooks.errors.js';
import type { SubscriptionSettings } from '../subscription.js';

/**
 * Checks that channels and people in the settings belong to the space. Accepts channels and voice
 * chats, public or private, archived or not, but no direct messages and threads.
 * @throws 400 for any other id
 */
export async function requireReferences(
  tx: Tx,
  members: MemberDirectory,
  spaceId: string,
  { channelIds = [], triggerConfig }: Partial<Pick<SubscriptionSettings, 'channelIds' | 'triggerConfig'>>,
): Promise<void> {
  await requireChannels(tx, spaceId, channelIds, unknownChannel);
  const userIds = triggerConfig?.user_ids ?? [];
  if (userIds.length === 0) return;
  const known = await members.find(tx, spaceId, userIds);
  if (!userIds.every((id) => known.has(id))) throw unknownMentioned();
}
