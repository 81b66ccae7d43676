import { describeStatements } from '@tieline/testing';
import * as runs from './agent-runs.statements.js';

describeStatements(runs);
