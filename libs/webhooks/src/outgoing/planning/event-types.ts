import { chatEvents } from '@tieline/conversations';
import type { EventType } from '@tieline/conversations';
import { noticeCreated } from './types/notice-created.js';
import { webhookTest } from './types/webhook-test.js';

/** Event types that only subscriptions receive. */
export const SENT_TO_SUBSCRIPTIONS: readonly EventType[] = [webhookTest, noticeCreated];

const ALL: readonly EventType[] = [...chatEvents.all, ...SENT_TO_SUBSCRIPTIONS];

/**
 * Event types that a subscription can select. MEMBER_JOINED and MEMBER_LEFT are sent only with
 * EMIT_MEMBER_EVENTS.
 */
export const SUBSCRIBABLE_EVENT_TYPES: readonly string[] = chatEvents.typesFor('outgoing webhooks', ALL);

/** Event types that `trigger` applies to. Other types ignore it. */
export const TRIGGERED_EVENT_TYPES: ReadonlySet<string> = new Set(
  ALL.filter(({ hasTrigger }) => hasTrigger).map(({ event }) => event),
);

/** Event type of test deliveries. Subscriptions cannot select it. */
export const TEST_EVENT_TYPE = webhookTest.event;

/** The fields of `data` that thin payloads keep, by event type. */
export const IDS_OF_TYPES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  ALL.map(({ event, ids }) => [event, new Set(ids)]),
);
