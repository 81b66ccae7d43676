import type { ChatEvent } from '@tieline/conversations';
import { slackId } from '../ids/slack-ids.js';
import { emojiName } from '../messages/emoji.js';
import { secondsOf, tsOf } from '../ts/ts.js';
import { authorUser } from './author.js';
import type { EventFacts } from './event-facts.js';
import type { InnerEvent } from './inner-event.js';
import { placeOf } from './place.js';

type EventOf<Type> = Extract<ChatEvent, { event_type: Type }>;
export type ReactionEvent = EventOf<'REACTION_ADDED' | 'REACTION_REMOVED'>;
export type MemberEvent = EventOf<'MEMBER_JOINED' | 'MEMBER_LEFT'>;
export type ConversationEvent = EventOf<'CONVERSATION_CREATED' | 'CONVERSATION_ARCHIVED'>;

/** Returns the event of a reaction. None if the message is gone. */
export function reactionEvents(event: ReactionEvent, { messages }: EventFacts): InnerEvent[] {
  const { data, event_type: type } = event;
  const message = messages.get(data.message_id);
  if (!message) return [];
  return [
    {
      type: type === 'REACTION_ADDED' ? 'reaction_added' : 'reaction_removed',
      user: authorUser(data.user_id),
      reaction: emojiName(data.emoji),
      item: { type: 'message', channel: placeOf(event).channel, ts: message.ts },
      item_user: authorUser(message.authorId),
      event_ts: tsOf(event.occurred_at),
    },
  ];
}

/** Returns the event of a person or bot that joined or left a channel. */
export function memberEvent(event: MemberEvent): InnerEvent {
  const { data, event_type: type, space_id: spaceId, actor_id: actorId } = event;
  const { channel } = placeOf(event);
  const isInvited = type === 'MEMBER_JOINED' && actorId !== data.member_id;
  return {
    type: type === 'MEMBER_JOINED' ? 'member_joined_channel' : 'member_left_channel',
    user: authorUser(data.member_id),
    channel,
    channel_type: channel.charAt(0),
    team: slackId('space', spaceId),
    ...(isInvited && { inviter: authorUser(actorId) }),
    event_ts: tsOf(event.occurred_at),
  };
}

/**
 * Returns the event of a channel that was created or archived. Slack has none for a new private
 * channel.
 */
export function conversationEvents(event: ConversationEvent): InnerEvent[] {
  const { data, event_type: type, actor_id: actorId, occurred_at: occurredAt } = event;
  const { channel, channelType } = placeOf(event);
  const at = { event_ts: tsOf(occurredAt) };
  const isPublic = channelType === 'channel';
  if (type === 'CONVERSATION_ARCHIVED')
    return [
      { type: isPublic ? 'channel_archive' : 'group_archive', channel, user: authorUser(actorId), ...at },
    ];
  if (!isPublic) return [];
  const created = {
    id: channel,
    is_channel: true,
    name: data.name,
    name_normalized: data.name,
    created: secondsOf(occurredAt),
    creator: authorUser(data.created_by),
    is_shared: false,
    is_org_shared: false,
    context_team_id: slackId('space', event.space_id),
  };
  return [{ type: 'channel_created', channel: created, ...at }];
}

/** Returns the events of a channel that was renamed or unarchived. */
export function changedChannelEvents(event: EventOf<'CONVERSATION_UPDATED'>): InnerEvent[] {
  const { data, actor_id: actorId, occurred_at: occurredAt } = event;
  const { channel, channelType } = placeOf(event);
  const kind = channelType === 'channel' ? 'channel' : 'group';
  const at = { event_ts: tsOf(occurredAt) };
  const renamed = {
    id: channel,
    name: data.name,
    name_normalized: data.name,
    created: secondsOf(occurredAt),
  };
  return [
    ...(data.changes.includes('name') ? [{ type: `${kind}_rename`, channel: renamed, ...at }] : []),
    ...(data.changes.includes('unarchived')
      ? [{ type: `${kind}_unarchive`, channel, user: authorUser(actorId), ...at }]
      : []),
  ];
}
