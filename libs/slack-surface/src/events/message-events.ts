import { tsOf } from '../ts/ts.js';
import { authorFields, authorUser } from './author.js';
import { appOf } from './event-facts.js';
import type { EventFacts } from './event-facts.js';
import { filesOf, messageFields, threadFields } from './message-fields.js';
import type { MessageEvent, MessageFields, TextEvent } from './message-fields.js';
import { placeOf } from './place.js';
import type { InnerEvent } from './inner-event.js';

type Created = Extract<MessageEvent, { event_type: 'MESSAGE_CREATED' }>;
type Updated = Extract<MessageEvent, { event_type: 'MESSAGE_UPDATED' }>;
type Deleted = Extract<MessageEvent, { event_type: 'MESSAGE_DELETED' }>;

/**
 * Returns the events of a new message: `message`, `app_mention` with the same `ts` if it mentions
 * the bot outside of a direct chat, and `file_shared` for each file.
 */
export function createdEvents(event: Created, botId: string, facts: EventFacts): InnerEvent[] {
  const { channel, channelType } = placeOf(event);
  const fields = { ...messageFields(event, facts), ...ownThread(event, botId, facts) };
  const isMentioned = channelType !== 'im' && (event.data.mentions ?? []).includes(botId);
  return [
    { ...fields, channel, channel_type: channelType, event_ts: fields.ts },
    ...(isMentioned ? [mentionOf(fields, channel)] : []),
    ...sharedFiles(event, fields.ts),
  ];
}

/**
 * Returns `thread_ts` of a message that an assistant gets outside of threads in its direct chat: it
 * is the root of a new thread. Slack has no messages outside of threads there.
 */
function ownThread(
  { data, thread_id: rootId, conversation }: Created,
  botId: string,
  facts: EventFacts,
): object {
  const startsThread = facts.assistants.has(botId) && conversation.scope === 'dm' && rootId === '';
  return startsThread ? { thread_ts: tsOf(data.sent_at) } : {};
}

/** `app_mention` has no `channel_type` and no `subtype`. */
function mentionOf({ subtype, ...fields }: MessageFields, channel: string): InnerEvent {
  return { ...fields, type: 'app_mention', channel, event_ts: fields.ts };
}

/**
 * Returns the events of an edit: `message_changed`, `pin_added` or `pin_removed`, and `file_shared`
 * once the files of a message are attached.
 */
export function updatedEvents(event: Updated, facts: EventFacts): InnerEvent[] {
  const changes = event.data.changes ?? [];
  const at = tsOf(event.occurred_at);
  return [
    ...(changes.some((change) => change !== 'pin') ? [changedEvent(event, at, facts)] : []),
    ...(changes.includes('attachments') ? sharedFiles(event, at) : []),
    ...(changes.includes('pin') ? [pinEvent(event, at, facts)] : []),
  ];
}

function changedEvent(event: Updated, at: string, facts: EventFacts): InnerEvent {
  const { channel, channelType } = placeOf(event);
  const { data, actor_id: editorId } = event;
  const message = messageFields(event, facts);
  return {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    channel,
    channel_type: channelType,
    ts: at,
    event_ts: at,
    message: {
      ...message,
      ...(data.edited_at !== undefined && {
        edited: { user: authorUser(editorId), ts: tsOf(data.edited_at) },
      }),
    },
    previous_message: previousMessage(event, facts),
  };
}

/** Returns the event of a deleted message. */
export function deletedEvent(event: Deleted, facts: EventFacts): InnerEvent {
  const { channel, channelType } = placeOf(event);
  const at = tsOf(event.occurred_at);
  return {
    type: 'message',
    subtype: 'message_deleted',
    hidden: true,
    channel,
    channel_type: channelType,
    ts: at,
    event_ts: at,
    deleted_ts: tsOf(event.data.sent_at),
    previous_message: previousMessage(event, facts),
  };
}

/** Events do not carry the text before a change, so only the message itself is named. */
function previousMessage(event: MessageEvent, facts: EventFacts): Record<string, unknown> {
  const { data, message } = event;
  const { author_type: type, display_name: displayName } = message;
  return {
    type: 'message',
    ...authorFields({ id: data.author_id, type, appId: appOf(facts, data.author_id), displayName }),
    ts: tsOf(data.sent_at),
    ...threadFields(event, facts),
  };
}

function pinEvent(event: Updated, at: string, facts: EventFacts): InnerEvent {
  const { channel } = placeOf(event);
  const { data, actor_id: actorId } = event;
  const isPinned = data.pinned_at !== undefined;
  const user = authorUser(data.pinned_by ?? actorId);
  return {
    type: isPinned ? 'pin_added' : 'pin_removed',
    user,
    channel_id: channel,
    item_user: authorUser(data.author_id),
    item: {
      type: 'message',
      channel,
      created: Math.floor(Number(at)),
      created_by: user,
      message: messageFields(event, facts),
    },
    ...(!isPinned && { has_pins: false }),
    event_ts: at,
  };
}

function sharedFiles(event: TextEvent, at: string): InnerEvent[] {
  const { channel } = placeOf(event);
  return filesOf(event).map(({ id, user }) => ({
    type: 'file_shared',
    channel_id: channel,
    file_id: id,
    user_id: user,
    file: { id },
    event_ts: at,
  }));
}
