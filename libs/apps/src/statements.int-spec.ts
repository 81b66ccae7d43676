import { describeEntities, describeStatements } from '@tieline/testing';
import { App } from './app.entity.js';
import { COUNT_APPS } from './apps.statements.js';
import { Authorization } from './authorizations/authorization.entity.js';
import * as authorizations from './authorizations/authorizations.statements.js';
import * as events from './events/app-events.statements.js';
import { Installation } from './installations/installation.entity.js';
import * as installations from './installations/installations.statements.js';
import { FIND_CLIENT_SECRETS } from './oauth/client-secrets.js';
import * as records from './oauth/records.statements.js';
import { FIND_AUTHORIZATION_OF_REFRESH_TOKEN } from './oauth/record-refused-refresh.js';
import { FIND_BOT_OF_TOKEN } from './oauth/revoke-token.js';
import { AppRequest } from './requests/app-request.entity.js';
import { DROP_OLD_REQUESTS } from './requests/requests.statements.js';

describeStatements({
  COUNT_APPS,
  FIND_CLIENT_SECRETS,
  FIND_BOT_OF_TOKEN,
  FIND_AUTHORIZATION_OF_REFRESH_TOKEN,
  DROP_OLD_REQUESTS,
  ...authorizations,
  ...events,
  ...installations,
  ...records,
});
describeEntities(App, Installation, Authorization, AppRequest);
