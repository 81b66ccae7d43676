import { Field, OkAnswer } from '@tieline/platform/http';

const CALLBACK_URL = 'https://example.com/clicks';
const SECRET = { example: 'whsec_…', description: 'the buttons signing secret, shown here and nowhere else' };

export class InteractiveConfigAnswer extends OkAnswer {
  @Field({ example: true })
  enabled: boolean;

  @Field({ example: CALLBACK_URL, description: '"" where clicks are not called back' })
  callback_url: string;
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
}
