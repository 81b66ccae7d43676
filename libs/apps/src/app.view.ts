import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import { unexpired } from '@tieline/signing';
import { APP } from './app.js';
import type { App } from './app.entity.js';

/** An app as the admins of its space and the operator see it. */
export class AppView extends viewOf(APP) {}

export class AppAnswer extends OkAnswer {
  @Field({ type: AppView })
  app: AppView;
}

const SECRET = { example: 'tlk_…', description: 'shown only in this response' };

export class CreatedAppAnswer extends AppAnswer {
  @Field({
    ...SECRET,
    optional: true,
    description: 'shown only in this response; absent for a public client',
  })
  client_secret?: string;

  @Field({ example: 'whsec_…', description: 'signs what the app receives; shown only in this response' })
  signing_secret: string;
}

export class RotatedClientSecretAnswer extends OkAnswer {
  @Field(SECRET)
  client_secret: string;

  @Field({
    example: '2026-11-22T09:00:00.000Z',
    optional: true,
    description: "end of the previous secret's validity; absent if it ended immediately",
  })
  previous_client_secret_expires_at?: string;
}

export class AppsPage extends PageAnswer {
  @Field({ type: AppView, isArray: true })
  apps: AppView[];
}

export function appView(app: App): AppView {
  return AppView.of({
    ...app,
    previousClientSecretExpiresAt: unexpired(app.previousClientSecretExpiresAt),
  });
}
