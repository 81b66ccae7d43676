import { describeStatements } from '@tieline/testing';
import * as dailyPartitions from './database/daily-partitions.statements.js';
import * as migrations from './database/migrations.statements.js';

describeStatements(dailyPartitions, migrations);
