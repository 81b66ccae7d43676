import type { OutboxRecord } from '@tieline/delivery';
import { MEMBERS_CHANGED } from './chat-event.js';
import type { ChatEvent, MembersChanged } from './chat-event.js';
import { isChatEventType } from './event-registry.js';

/** Extracts the events that bots and subscriptions can subscribe to from outbox records. */
export class PublicEvents {
  /**
   * @param memberEvents whether MEMBER_JOINED and MEMBER_LEFT are emitted (`EMIT_MEMBER_EVENTS`)
   */
  constructor(private readonly memberEvents: boolean) {}

  /** Returns the public event of an outbox record, or undefined if it has none. */
  of(record: OutboxRecord): ChatEvent | undefined {
    if (isChatEventType(record.type)) return record.payload as ChatEvent;
    if (!this.memberEvents || record.type !== MEMBERS_CHANGED) return undefined;
    return (record.payload as MembersChanged).event;
  }

  /** Returns whether records of this type can have a public event. */
  has(type: string): boolean {
    return isChatEventType(type) || (this.memberEvents && type === MEMBERS_CHANGED);
  }
}
