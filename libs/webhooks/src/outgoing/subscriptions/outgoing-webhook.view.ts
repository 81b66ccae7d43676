import type { OutgoingWebhook } from './outgoing-webhook.entity.js';

/** `subscription` of the admin endpoints (decisions, section 7). Never carries the signing secret. */
export interface SubscriptionView {
  id: string;
  name: string;
  url: string;
  event_types: string[];
  channel_ids: string[];
  trigger: string;
  trigger_config: object;
  include_context: boolean;
  context_size: number;
  status: string;
  created_at: string;
  updated_at: string;
}

/** How admins see a subscription. */
export function subscriptionView(row: OutgoingWebhook): SubscriptionView {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    event_types: row.eventTypes,
    channel_ids: row.channelIds,
    trigger: row.trigger,
    trigger_config: row.triggerConfig,
    include_context: row.includeContext,
    context_size: row.contextSize,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** For the OpenAPI document. */
export const SUBSCRIPTION_EXAMPLE: SubscriptionView = {
  id: '0190f2a4-7c1b-7000-8000-00000000abcd',
  name: 'Deploy log',
  url: 'https://receiver.example/hook',
  event_types: ['MESSAGE_CREATED'],
  channel_ids: [],
  trigger: 'keywords',
  trigger_config: { keywords: ['deploy'] },
  include_context: true,
  context_size: 10,
  status: 'active',
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-02T03:04:05.678Z',
};
