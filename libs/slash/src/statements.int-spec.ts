import { describeEntities, describeStatements } from '@tieline/testing';
import * as polls from './builtins/poll/polls.statements.js';
import * as reminders from './builtins/remind/reminders.statements.js';
import * as commands from './commands/slash-commands.statements.js';
import * as triggers from './triggers/slash-triggers.statements.js';
import { SlashCommand } from './commands/slash-command.entity.js';

describeStatements(polls, reminders, commands, triggers);
describeEntities(SlashCommand);
