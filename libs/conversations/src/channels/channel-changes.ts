import { removeFromChannel } from '../members/remove-from-channel.js';
import { archiveChannel, leaveChannel } from './channel-actions.js';
import { updateChannel } from './update-channel.js';

/** Changes of channels that check the rights of a person or bot, for other libs. */
export const channelChanges = {
  archive: archiveChannel,
  leave: leaveChannel,
  removeMember: removeFromChannel,
  update: updateChannel,
};
