import type { ChatEvent } from '@tieline/conversations';
import { conversationId } from '../ids/slack-ids.js';

const CHANNEL_TYPES = { public: 'channel', private: 'group', dm: 'im' } as const;

/** Where an event happened, in Slack's words. Threads have the channel of their root message. */
export interface SlackPlace {
  channel: string;
  channelType: 'channel' | 'group' | 'im';
}

/** Returns the channel of an event. */
export function placeOf({ channel_id: id, conversation: { scope } }: ChatEvent): SlackPlace {
  return { channel: conversationId({ id, scope }), channelType: CHANNEL_TYPES[scope] };
}
