import type { EventConversation } from './conversation-context.view.js';
import type { ChatEventBody } from './event-registry.js';
import type { AuthorType } from '../actors.js';
import type { Role } from '@tieline/platform/http';
import type { MessageView } from './shown-message.js';
import type { MemberDataView } from './types/member-data.view.js';

/**
 * Whom a new message notifies. Only the worker reads it; bots, subscriptions and streams never
 * receive it.
 */
export interface MessageNotice {
  severity: 'critical' | 'warning' | 'info';
  /** The webhook's setting: whether its messages may push at all. */
  default_push: boolean;
  /** As sent: true forbids pushes, false allows them for this message. */
  silent?: boolean;
  /** People to push. Ids of non-members are ignored. */
  mentions: string[];
  /**
   * `channel`: notify every member. `here`: notify the members who are online and not viewing the
   * conversation.
   */
  channel: boolean;
  here: boolean;
  /** Set for the card of an approval: only the people who may decide it are notified. */
  approval?: ApprovalNotice;
}

/** Whom the card of an approval notifies, and what the push offers. */
interface ApprovalNotice {
  approval_id: string;
  actions: { action: 'approve' | 'deny'; option_id: string; title: string }[];
  /** People who are notified even if they are not members of the conversation. */
  user_ids: string[];
  /** Roles of the members who are notified. */
  roles: Role[];
  /** This person is never notified. */
  except?: string;
}

interface ChatEventHead {
  /** UUIDv7, the same in every channel that delivers this event. */
  event_id: string;
  space_id: string;
  /** RFC 3339, UTC. */
  occurred_at: string;
  actor_id: string;
  actor_type: AuthorType;
  conversation: EventConversation;
  /**
   * The id that `channel_ids` filters compare: a thread's parent, otherwise the conversation
   * itself.
   */
  channel_id: string;
  /** Root message of the thread it happened in, or "". */
  thread_id: string;
  /** Bots that are members of the channel at commit. Always [] for public channels. */
  bot_ids: string[];
}

/** Set in events of messages only. */
type MessageParts<Name> = Name extends `MESSAGE_${string}`
  ? { message: MessageView; notify?: MessageNotice }
  : { message?: undefined };

/** The chat event of one type, with the `data` that is sent. */
type EventWith<Body> = Body extends ChatEventBody
  ? ChatEventHead & Pick<Body, 'event_type' | 'data'> & MessageParts<Body['event_type']>
  : never;

/**
 * The outbox payload of every chat event. The outbox row's `type` is its `event_type`. Member
 * events are wrapped in {@link MembersChanged}.
 */
export type ChatEvent = EventWith<ChatEventBody>;
/** The chat event of a member that joined or left. */
export type MemberEvent = Extract<ChatEvent, { event_type: 'MEMBER_JOINED' | 'MEMBER_LEFT' }>;

/** Type of the internal outbox event for a member that joined or left. */
export const MEMBERS_CHANGED = 'conversation.members_changed';

/**
 * Payload of {@link MEMBERS_CHANGED}. Threads have none: they share the members of their channel.
 */
export interface MembersChanged extends MemberDataView {
  joined: boolean;
  /** The public event; absent for direct chats. */
  event?: MemberEvent;
}
