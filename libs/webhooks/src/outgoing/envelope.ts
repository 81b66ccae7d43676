import type { ChatEvent, ContextMessage } from '@tieline/conversations';

/** Contract, section Outgoing webhook delivery. Raised on breaking changes only. */
const SCHEMA_VERSION = 1;

/** The envelope's `context`: `context_error` means that it could not be read and the event goes out without it. */
export interface EventContext {
  messages: readonly ContextMessage[];
  context_error: boolean;
}

/** The fields of an envelope that differ between events. */
export interface EnvelopeFields {
  eventId: string;
  eventType: string;
  spaceId: string;
  conversationId: string;
  threadId: string;
  actorUserId: string;
  occurredAt: string;
  data: object | null;
}

/** The envelope of a chat event, without context: the text whose UTF-8 bytes are stored, signed and sent. */
export function chatEnvelope(event: ChatEvent): string {
  return envelope({
    eventId: event.event_id,
    eventType: event.event_type,
    spaceId: event.space_id,
    conversationId: event.conversation.id,
    threadId: event.thread_id,
    actorUserId: event.actor_type === 'system' ? '' : event.actor_id,
    occurredAt: event.occurred_at,
    data: event.data,
  });
}

/** An envelope in the contract's field order. */
export function envelope(fields: EnvelopeFields): string {
  return JSON.stringify({
    event_id: fields.eventId,
    event_type: fields.eventType,
    space_id: fields.spaceId,
    conversation_id: fields.conversationId,
    thread_id: fields.threadId,
    actor_user_id: fields.actorUserId,
    occurred_at: fields.occurredAt,
    schema_version: SCHEMA_VERSION,
    data: fields.data,
  });
}

/** The same envelope with a `context` at its end; `data` is not serialised again. */
export function withContext(envelopeText: string, context: EventContext): string {
  return `${envelopeText.slice(0, -1)},"context":${JSON.stringify({ messages: context.messages, context_error: context.context_error })}}`;
}
