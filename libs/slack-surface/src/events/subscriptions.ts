import type { InnerEvent } from './inner-event.js';

/** Slack's names of the subscriptions to messages, by the `channel_type` of the event. */
const MESSAGES: Readonly<Record<string, string>> = {
  channel: 'message.channels',
  group: 'message.groups',
  im: 'message.im',
};

/**
 * Returns the events that a bot subscribed to by Slack's names. All events without any name
 * (docs/slack-apps.md#subscriptions).
 */
export function subscribed(names: readonly string[], events: readonly InnerEvent[]): readonly InnerEvent[] {
  return names.length === 0 ? events : events.filter((event) => names.includes(subscriptionOf(event)));
}

function subscriptionOf({ type, channel_type: channelType }: InnerEvent): string {
  return type === 'message' ? (MESSAGES[String(channelType)] ?? type) : type;
}
