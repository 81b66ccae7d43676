import { approvalDecided } from './types/approval-decided.js';
import { approvalRequested } from './types/approval-requested.js';
import { conversationArchived } from './types/conversation-archived.js';
import { conversationCreated } from './types/conversation-created.js';
import { conversationUpdated } from './types/conversation-updated.js';
import { memberJoined } from './types/member-joined.js';
import { memberLeft } from './types/member-left.js';
import { messageCreated } from './types/message-created.js';
import { messageDeleted } from './types/message-deleted.js';
import { messageUpdated } from './types/message-updated.js';
import { reactionAdded } from './types/reaction-added.js';
import { reactionRemoved } from './types/reaction-removed.js';

/** All types of chat events (docs/events.md#conversation-events). */
export const CHAT_EVENTS = [
  messageCreated,
  messageUpdated,
  messageDeleted,
  reactionAdded,
  reactionRemoved,
  conversationCreated,
  conversationUpdated,
  conversationArchived,
  memberJoined,
  memberLeft,
  approvalRequested,
  approvalDecided,
] as const;

type Declared = (typeof CHAT_EVENTS)[number];
export type ChatEventType = Declared['event'];
/** The bodies of chat events. */
export type ChatEventBody = InstanceType<Declared['payload']>;

const BY_TYPE: ReadonlyMap<string, Declared> = new Map(CHAT_EVENTS.map((one) => [one.event, one]));

/** Returns whether outbox records of this type carry a chat event. */
export function isChatEventType(type: string): type is ChatEventType {
  return BY_TYPE.has(type);
}

/** Returns the name of an event type on people's streams, or undefined if they do not carry it. */
export function streamNameOf(type: string): string | undefined {
  return BY_TYPE.get(type)?.streamName;
}
