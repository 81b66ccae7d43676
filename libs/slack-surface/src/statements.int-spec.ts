import { describeStatements } from '@tieline/testing';
import * as commands from './commands/command-fields.statements.js';
import * as events from './events/event-facts.statements.js';
import * as files from './files/stored-files.statements.js';
import * as interactions from './interactions/app-facts.statements.js';
import * as responses from './responses/response-bots.statements.js';
import * as people from './views/people.statements.js';

describeStatements(commands, events, files, interactions, responses, people);
