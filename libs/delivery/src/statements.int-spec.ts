import { describeStatements } from '@tieline/testing';
import * as backlog from './backlog.statements.js';
import * as claims from './engine/claims/claims.statements.js';
import * as leases from './engine/claims/leases.statements.js';
import * as deliveries from './engine/delivery.statements.js';
import * as planning from './engine/planning.statements.js';
import * as results from './engine/results/results.statements.js';
import * as outbox from './outbox/outbox.statements.js';

describeStatements(backlog, claims, deliveries, leases, outbox, planning, results);
