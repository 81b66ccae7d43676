import { describeStatements } from '@tieline/testing';
import * as dailyPartitions from './daily-partitions.statements.js';

describeStatements(dailyPartitions);
