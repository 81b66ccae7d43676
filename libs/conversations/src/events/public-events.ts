import type { OutboxRecord } from '@tieline/delivery';
import { chatEventOf } from '../messages/message-created.js';
import { isChatEventType, MEMBERS_CHANGED } from './chat-event.js';
import type { ChatEvent, MembersChanged } from './chat-event.js';

/**
 * The events that bots and subscriptions may ask for, as they stand in the outbox (contract, "Event
 * types").
 */
export class PublicEvents {
  /** @param memberEvents whether MEMBER_JOINED and MEMBER_LEFT are told (`EMIT_MEMBER_EVENTS`) */
  constructor(private readonly memberEvents: boolean) {}

  /** The public event of an outbox record; undefined when it has none. */
  of(record: OutboxRecord): ChatEvent | undefined {
    if (isChatEventType(record.type)) return chatEventOf(record);
    if (!this.memberEvents || record.type !== MEMBERS_CHANGED) return undefined;
    return (record.payload as MembersChanged).event;
  }

  /** Whether records of this type can have one. */
  has(type: string): boolean {
    return isChatEventType(type) || (this.memberEvents && type === MEMBERS_CHANGED);
  }
}
