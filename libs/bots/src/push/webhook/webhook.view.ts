import { Field, OkAnswer } from '@tieline/platform/http';
import { PREVIOUS_SECRET_FIELD } from '@tieline/signing';

/** Response of POST /bot/webhook/rotate_secret. */
export class RotatedPushSecretAnswer extends OkAnswer {
  @Field({ example: 'whsec_…', description: 'shown only in this response' })
  signing_secret: string;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  updated_at: string;

  @Field(PREVIOUS_SECRET_FIELD)
  previous_secret_expires_at?: string;
}
