import { describeStatements } from '@tieline/testing';
import * as prompts from './prompts/prompts.statements.js';
import * as statuses from './status/status.statements.js';
import * as live from './live.statements.js';

describeStatements(live, prompts, statuses);
