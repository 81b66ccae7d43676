import type { IncomingWebhook } from './incoming-webhook.entity.js';

/** `webhook` of the admin endpoints (decisions, section 7). Never carries token or signing secret. */
export interface IncomingWebhookView {
  id: string;
  name: string;
  conversation_id: string;
  require_signature: boolean;
  default_push: boolean;
  avatar_url: string;
  is_active: boolean;
  created_at: string;
  updated_at: string;
}

/** How admins see an incoming webhook. */
export function incomingWebhookView(row: IncomingWebhook): IncomingWebhookView {
  return {
    id: row.id,
    name: row.name,
    conversation_id: row.conversationId,
    require_signature: row.requireSignature,
    default_push: row.defaultPush,
    avatar_url: row.avatarUrl,
    is_active: row.isActive,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Where a webhook's requests are sent; the token is the secret part. */
export function incomingUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/api/v1/webhooks/incoming/${token}`;
}

/** For the OpenAPI document. */
export const INCOMING_WEBHOOK_EXAMPLE: IncomingWebhookView = {
  id: '0190f2a4-7c1b-7000-8000-00000000abcd',
  name: 'Alerts',
  conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001',
  require_signature: true,
  default_push: true,
  avatar_url: '',
  is_active: true,
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-02T03:04:05.678Z',
};
