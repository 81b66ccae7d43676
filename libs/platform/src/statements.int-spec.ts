import { describeStatements } from '@tieline/testing';
import * as idempotency from './idempotency/idempotency.statements.js';
import * as rateLimit from './rate-limit/rate-limit.statements.js';

describeStatements(idempotency, rateLimit);
