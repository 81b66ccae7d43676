import { describeStatements } from '@tieline/testing';
import * as secretColumns from './secret-columns.statements.js';

describeStatements(secretColumns);
