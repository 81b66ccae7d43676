import { describeStatements } from '@tieline/testing';
import * as connections from './database/connections/connections.statements.js';
import * as dailyPartitions from './database/daily-partitions.statements.js';
import * as migrations from './database/schema/migrations.statements.js';

describeStatements(connections, dailyPartitions, migrations);
