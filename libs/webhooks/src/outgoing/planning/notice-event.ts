import { chatEvents } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import type { OutboxRecord } from '@tieline/delivery';
import { NOTICE_CREATED } from '@tieline/spaces';
import type { NoticeView } from '@tieline/spaces';
import { thinData } from './thin-data.js';

/** A notice to admins as an event. It has no conversation and no actor. */
export interface NoticeEvent {
  event_type: typeof NOTICE_CREATED;
  event_id: string;
  space_id: string;
  data: NoticeView;
}

/** An event that subscriptions can receive. */
export type OutgoingEvent = ChatEvent | NoticeEvent;

export function isNotice(event: OutgoingEvent): event is NoticeEvent {
  return event.event_type === NOTICE_CREATED;
}

/** Converts an outbox record of type {@link NOTICE_CREATED} to an event. */
export function noticeEventOf({ eventId, spaceId, payload }: OutboxRecord): NoticeEvent {
  return {
    event_type: NOTICE_CREATED,
    event_id: eventId,
    space_id: spaceId,
    data: payload as NoticeView,
  };
}

/** Serializes the envelope of an event. With `thin`, `data` contains only ids. */
export function envelopeOf(event: OutgoingEvent, { thin = false } = {}): string {
  const data = thin ? thinData(event.event_type, event.data) : event.data;
  if (!isNotice(event)) return chatEvents.envelopeOf({ ...event, data } as unknown as ChatEvent);
  return chatEvents.envelope({
    eventId: event.event_id,
    eventType: event.event_type,
    spaceId: event.space_id,
    conversationId: '',
    threadId: '',
    actorUserId: '',
    occurredAt: event.data.created_at,
    data,
  });
}
