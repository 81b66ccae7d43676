/**
 * Event types that a subscription can name (contract, section Event types); MEMBER_JOINED and
 * MEMBER_LEFT come only with EMIT_MEMBER_EVENTS.
 */
export const SUBSCRIBABLE_EVENT_TYPES = [
  'MESSAGE_CREATED',
  'MESSAGE_UPDATED',
  'MESSAGE_DELETED',
  'REACTION_ADDED',
  'REACTION_REMOVED',
  'CONVERSATION_CREATED',
  'CONVERSATION_ARCHIVED',
  'MEMBER_JOINED',
  'MEMBER_LEFT',
  'NOTICE_CREATED',
] as const;

export type SubscribableEventType = (typeof SUBSCRIBABLE_EVENT_TYPES)[number];

/** The types that `trigger` applies to; every other type passes whatever the trigger is. */
export const TRIGGERED_EVENT_TYPES: ReadonlySet<string> = new Set<SubscribableEventType>([
  'MESSAGE_CREATED',
  'MESSAGE_UPDATED',
]);

/** The type of a test send; nobody subscribes to it. */
export const TEST_EVENT_TYPE = 'WEBHOOK_TEST';
