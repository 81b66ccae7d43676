import { describeStatements } from '@tieline/testing';
import * as tasks from './execution-tasks.statements.js';

describeStatements(tasks);
