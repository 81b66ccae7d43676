import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import { PREVIOUS_SECRET_FIELD, unexpired } from '@tieline/signing';
import { INCOMING_WEBHOOK } from './incoming-webhook.js';
import type { IncomingWebhook } from './incoming-webhook.entity.js';

const TOKEN_EXAMPLE = 'u2Jq0yC0r0nYdZc1mO3w0lqk9bq1m7yX4v5s6t7u8v9';
const SECRET_EXAMPLE = 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=';

/** `webhook` of the admin endpoints. */
export class IncomingWebhookView extends viewOf(INCOMING_WEBHOOK) {}

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
  return IncomingWebhookView.of({
    ...row,
    replayProtection: row.replayProtection ?? row.requireSignature,
    hasNativeSecret: row.nativeSecret !== null,
    previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt),
  });
}

/** Returns the address that senders post to. The token in it is secret. */
export function incomingUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/api/v1/webhooks/incoming/${token}`;
}
