import { describeStatements } from '@tieline/testing';
import * as access from './access/access-changes.statements.js';
import * as bus from './bus/bus.statements.js';

describeStatements(access, bus);
