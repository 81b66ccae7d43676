import { describeStatements } from '@tieline/testing';
import * as scheduled from './scheduled-messages/scheduled-messages.statements.js';

describeStatements({ ...scheduled });
