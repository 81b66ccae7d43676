import { describeEntities, describeStatements } from '@tieline/testing';
import * as runs from './agent-runs.statements.js';
import * as due from './due-runs.statements.js';
import * as placeholders from './placeholders/placeholders.statements.js';
import * as stops from './stops/stops.statements.js';
import * as updates from './updates/updates.statements.js';
import { AgentRun } from './agent-run.entity.js';

describeStatements(runs, due, placeholders, stops, updates);
describeEntities(AgentRun);
