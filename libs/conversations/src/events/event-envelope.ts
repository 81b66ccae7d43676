import type { ChatEvent } from './chat-event.js';

/** Raised on breaking changes only. */
const SCHEMA_VERSION = 1;

/** The envelope fields that differ between events. */
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

/**
 * Returns the envelope of a chat event for outgoing webhooks and bot pushes. Its UTF-8 bytes are
 * stored, signed and sent.
 */
export function chatEnvelope(event: ChatEvent): string {
  return envelope(fieldsOf(event, event.data));
}

/** Returns the envelope of a chat event without its data: JSON that ends in `"data":null}`. */
export function eventHead(event: ChatEvent): string {
  return envelope(fieldsOf(event, null));
}

function fieldsOf(event: ChatEvent, data: object | null): EnvelopeFields {
  return {
    eventId: event.event_id,
    eventType: event.event_type,
    spaceId: event.space_id,
    conversationId: event.conversation.id,
    threadId: event.thread_id,
    actorUserId: event.actor_type === 'system' ? '' : actorOf(event),
    occurredAt: event.occurred_at,
    data,
  };
}

/** During an upgrade, an older worker omits the actor if it is the message's author. */
function actorOf(event: ChatEvent): string {
  const actorId: string | null = event.actor_id;
  return actorId ?? event.message?.author_id ?? '';
}

/** The field before which an installation is named. It occurs first as a field of the envelope. */
const AFTER_INSTALLATION = '"conversation_id":';

/** Returns the text of an envelope that also names the installation of an app. */
export function withInstallation(text: string, installationId: string): string {
  return text.replace(
    AFTER_INSTALLATION,
    `"installation_id":${JSON.stringify(installationId)},${AFTER_INSTALLATION}`,
  );
}

/** Serializes an envelope in the documented field order (docs/events.md#envelope). */
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
