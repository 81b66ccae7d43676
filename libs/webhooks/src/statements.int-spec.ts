import { describeEntities, describeStatements } from '@tieline/testing';
import * as requests from './incoming/requests/incoming-requests.statements.js';
import * as keyed from './incoming/keyed/keyed.statements.js';
import * as incomingAdmin from './incoming/admin/incoming-webhooks.statements.js';
import * as incoming from './incoming/receive/incoming-webhooks.statements.js';
import * as signatures from './incoming/replay/signatures.statements.js';
import * as deliveries from './outgoing/deliveries/outgoing-deliveries.statements.js';
import * as plans from './outgoing/planning/outgoing-plans.statements.js';
import * as recoveries from './outgoing/recoveries/recoveries.statements.js';
import * as outgoing from './outgoing/subscriptions/outgoing-webhooks.statements.js';
import { IncomingWebhook } from './incoming/admin/incoming-webhook.entity.js';
import { Recovery } from './outgoing/recoveries/recovery.entity.js';
import { OutgoingWebhook } from './outgoing/subscriptions/outgoing-webhook.entity.js';

describeStatements(
  requests,
  keyed,
  signatures,
  incoming,
  incomingAdmin,
  deliveries,
  outgoing,
  plans,
  recoveries,
);
describeEntities(IncomingWebhook, OutgoingWebhook, Recovery);
