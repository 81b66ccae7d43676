import { describeStatements } from '@tieline/testing';
import * as rateLimit from './rate-limit.statements.js';

describeStatements(rateLimit);
