import type { InstallationView } from '@tieline/sdk/api';
import { useWords } from '../../../language/use-words.js';
import { installedWords } from './words.js';

/** Channels of the bot: all, or how many. */
export function Channels({ installation }: { installation: InstallationView }) {
  const words = useWords(installedWords);
  const { bot_id: botId, channel_ids: ids } = installation;
  if (botId === null) return words.noBot;
  return ids.length === 0 ? words.allChannels : words.channelCount(ids.length);
}
