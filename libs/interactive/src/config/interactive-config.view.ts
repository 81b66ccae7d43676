import { Field, OkAnswer } from '@tieline/platform/http';
import { PREVIOUS_SECRET_FIELD, previousSecretView, rotatedSecretView } from '@tieline/signing';
import type { RotatedSecret } from '@tieline/signing';
import type { InteractiveConfig } from './interactive-config.entity.js';

const CALLBACK_URL = 'https://example.com/clicks';
const SECRET = {
  example: 'whsec_…',
  description: 'the signing secret for buttons, shown only in this response',
};

export class InteractiveConfigAnswer extends OkAnswer {
  @Field({ example: true })
  enabled: boolean;

  @Field({ example: CALLBACK_URL, description: '"" if no callback is configured' })
  callback_url: string;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}

export class CallbackUrlAnswer extends OkAnswer {
  @Field({ example: CALLBACK_URL })
  callback_url: string;

  @Field({ ...SECRET, optional: true })
  signing_secret?: string;
}

export class RotatedInteractiveSecretAnswer extends OkAnswer {
  @Field(SECRET)
  signing_secret: string;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  updated_at: string;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}

/**
 * Builds the response with a bot's configuration for the bot and for admins; null means it has
 * none. Never includes the secret.
 */
export function interactiveConfigAnswer(config: InteractiveConfig | null): InteractiveConfigAnswer {
  const callbackUrl = config?.callbackUrl ?? '';
  return {
    ok: true,
    enabled: callbackUrl !== '',
    callback_url: callbackUrl,
    ...previousSecretView(config?.previousSecretExpiresAt),
  };
}

/** Builds the response after a change of the address. @param secret set if the change created it */
export function callbackUrlAnswer(callbackUrl: string, secret: string | undefined): CallbackUrlAnswer {
  return { ok: true, callback_url: callbackUrl, ...(secret !== undefined && { signing_secret: secret }) };
}

/** Builds the response after a rotation. */
export function rotatedInteractiveSecretAnswer(rotated: RotatedSecret): RotatedInteractiveSecretAnswer {
  return { ok: true, ...rotatedSecretView(rotated), updated_at: rotated.updatedAt.toISOString() };
}
