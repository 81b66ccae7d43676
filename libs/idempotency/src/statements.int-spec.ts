import { describeStatements } from '@tieline/testing';
import * as idempotency from './idempotency.statements.js';

describeStatements(idempotency);
