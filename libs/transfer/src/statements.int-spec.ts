import { describeStatements } from '@tieline/testing';
import * as schema from './schema.statements.js';

describeStatements(schema);
