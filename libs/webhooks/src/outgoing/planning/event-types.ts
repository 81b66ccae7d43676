/**
 * Event types that a subscription can select. MEMBER_JOINED and MEMBER_LEFT are sent only with
 * EMIT_MEMBER_EVENTS.
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

/** Event types that `trigger` applies to. Other types ignore it. */
export const TRIGGERED_EVENT_TYPES: ReadonlySet<string> = new Set<SubscribableEventType>([
  'MESSAGE_CREATED',
  'MESSAGE_UPDATED',
]);

/** Event type of test deliveries. Subscriptions cannot select it. */
export const TEST_EVENT_TYPE = 'WEBHOOK_TEST';
