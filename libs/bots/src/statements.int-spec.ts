import { describeStatements } from '@tieline/testing';
import * as push from './push/push.statements.js';

describeStatements(push);
