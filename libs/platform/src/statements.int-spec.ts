import { describeStatements } from '@tieline/testing';
import * as connections from './database/connections/connections.statements.js';
import * as migrations from './database/schema/migrations.statements.js';
import * as statistics from './database/statistics/statistics.statements.js';

describeStatements(connections, migrations, statistics);
