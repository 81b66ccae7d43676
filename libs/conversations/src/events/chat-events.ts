import { MEMBERS_CHANGED } from './chat-event.js';
import { chatEnvelope, envelope, eventHead, withInstallation } from './event-envelope.js';
import { CHAT_EVENTS, streamNameOf } from './event-registry.js';
import { eventType, typesFor } from './types/event-type.js';

/** Chat events and their envelopes, for other libs. */
export const chatEvents = {
  /** All types. */
  all: CHAT_EVENTS,
  /** Declares a type that only the calling lib sends. */
  declare: eventType,
  typesFor,
  streamNameOf,
  /** Type of the outbox event for members that joined or left. */
  membersChanged: MEMBERS_CHANGED,
  envelopeOf: chatEnvelope,
  /** The envelope without data. */
  headOf: eventHead,
  envelope,
  withInstallation,
} as const;
