import { Field, PageAnswer } from '@tieline/platform/http';
import { field, viewOf } from '@tieline/platform/resource';
import { AUTHORIZATION } from './authorization.js';

const name = field('text', {
  stored: false,
  shown: true,
  example: 'Deploys',
  description: 'name of the app',
});

/** What the caller allowed an app. */
export class AuthorizationView extends viewOf({ ...AUTHORIZATION, name }) {}

export class AuthorizationsPage extends PageAnswer {
  @Field({ type: AuthorizationView, isArray: true })
  authorizations: AuthorizationView[];
}
