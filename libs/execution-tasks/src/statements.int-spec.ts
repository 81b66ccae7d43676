import { describeEntities, describeStatements } from '@tieline/testing';
import * as tasks from './execution-tasks.statements.js';
import { ExecutionTask } from './execution-task.entity.js';

describeStatements(tasks);
describeEntities(ExecutionTask);
