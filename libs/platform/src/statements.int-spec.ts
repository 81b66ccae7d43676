import { describeStatements } from '@tieline/testing';
import * as idempotency from './idempotency/idempotency.statements.js';

describeStatements(idempotency);
