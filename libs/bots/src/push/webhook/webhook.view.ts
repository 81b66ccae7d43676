import { Field, OkAnswer } from '@tieline/platform/http';
import { PREVIOUS_SECRET_FIELD, previousSecretView } from '@tieline/signing';
import type { RotatedSecret } from './rotate-webhook-secret.js';

/** Response of POST /bot/webhook/rotate_secret. */
export class RotatedPushSecretAnswer extends OkAnswer {
  @Field({ example: 'whsec_…', description: 'shown only in this response' })
  signing_secret: string;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  updated_at: string;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}

export function rotatedSecretAnswer({
  signingSecret,
  updatedAt,
  previousExpiresAt,
}: RotatedSecret): RotatedPushSecretAnswer {
  return {
    ok: true,
    signing_secret: signingSecret,
    updated_at: updatedAt.toISOString(),
    ...previousSecretView(previousExpiresAt),
  };
}
