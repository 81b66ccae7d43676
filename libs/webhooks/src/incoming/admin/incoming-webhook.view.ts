import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { PREVIOUS_SECRET_FIELD, previousSecretView } from '@tieline/signing';
import type { IncomingWebhook } from './incoming-webhook.entity.js';

const TOKEN_EXAMPLE = 'u2Jq0yC0r0nYdZc1mO3w0lqk9bq1m7yX4v5s6t7u8v9';
const SECRET_EXAMPLE = 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=';

/** `webhook` of the admin endpoints. Never contains token or secrets. */
export class IncomingWebhookView {
  @Field({ example: '0190f2a4-7c1b-7000-8000-00000000abcd' })
  id: string;

  @Field({ example: 'Alerts' })
  name: string;

  @Field({ example: '0190f2a4-7c1b-7000-8000-00000000c001' })
  conversation_id: string;

  @Field({ example: true })
  require_signature: boolean;

  @Field({ example: true })
  default_push: boolean;

  @Field({ example: '', description: 'an HTTPS address, or empty' })
  avatar_url: string;

  @Field({ example: true })
  severity_from_color: boolean;

  @Field({
    example: true,
    description:
      "whether messages in a program's native format are grouped: repeats of an alert edit one message",
  })
  group_alerts: boolean;

  @Field({ example: true, description: 'whether each signature is accepted only once' })
  replay_protection: boolean;

  @Field({ example: false, description: "whether the sender's own signature scheme is accepted" })
  has_native_secret: boolean;

  @Field({ example: true })
  is_active: boolean;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;

  @Field({ example: '2026-01-02T03:04:05.678Z' })
  created_at: string;

  @Field({ example: '2026-01-02T03:04:05.678Z' })
  updated_at: string;
}

export class IncomingWebhookAnswer extends OkAnswer {
  @Field({ type: IncomingWebhookView })
  webhook: IncomingWebhookView;
}

export class IncomingWebhooksPage extends PageAnswer {
  @Field({ type: IncomingWebhookView, isArray: true })
  webhooks: IncomingWebhookView[];
}

export class IncomingTokenAnswer extends OkAnswer {
  @Field({ example: TOKEN_EXAMPLE, description: 'shown only once' })
  token: string;

  @Field({ example: incomingUrl('https://chat.example', TOKEN_EXAMPLE) })
  url: string;
}

export class IncomingSecretAnswer extends OkAnswer {
  @Field({ example: SECRET_EXAMPLE, description: 'shown only once' })
  signing_secret: string;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}

export class CreatedIncomingWebhookAnswer extends IncomingTokenAnswer {
  @Field({ type: IncomingWebhookView })
  webhook: IncomingWebhookView;

  @Field({ example: SECRET_EXAMPLE, description: 'shown only once' })
  signing_secret: string;
}

export function incomingWebhookView(row: IncomingWebhook): IncomingWebhookView {
  return {
    id: row.id,
    name: row.name,
    conversation_id: row.conversationId,
    require_signature: row.requireSignature,
    default_push: row.defaultPush,
    avatar_url: row.avatarUrl,
    severity_from_color: row.severityFromColor,
    group_alerts: row.groupAlerts,
    replay_protection: row.replayProtection ?? row.requireSignature,
    has_native_secret: row.nativeSecret !== null,
    is_active: row.isActive,
    ...previousSecretView(row.previousSecretExpiresAt),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Returns the address that senders post to. The token in it is secret. */
export function incomingUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/api/v1/webhooks/incoming/${token}`;
}
