import { describeEntities, describeStatements } from '@tieline/testing';
import * as runs from './agent-runs.statements.js';
import { AgentRun } from './agent-run.entity.js';

describeStatements(runs);
describeEntities(AgentRun);
