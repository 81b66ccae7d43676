import { describeStatements } from '@tieline/testing';
import * as requests from './incoming/log/incoming-requests.statements.js';
import * as incoming from './incoming/receive/incoming-webhooks.statements.js';
import * as deliveries from './outgoing/deliveries/outgoing-deliveries.statements.js';
import * as plans from './outgoing/planning/outgoing-plans.statements.js';
import * as outgoing from './outgoing/subscriptions/outgoing-webhooks.statements.js';

describeStatements(requests, incoming, deliveries, outgoing, plans);
