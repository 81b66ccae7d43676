import { describeStatements } from '@tieline/testing';
import * as claims from './engine/claims/claims.statements.js';
import * as planning from './engine/planning.statements.js';
import * as results from './engine/results/results.statements.js';
import * as outbox from './outbox/outbox.statements.js';

describeStatements(claims, outbox, planning, results);
