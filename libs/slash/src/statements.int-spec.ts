import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as polls from './builtins/poll/polls.statements.js';
import * as reminders from './builtins/remind/reminders.statements.js';
import * as commands from './commands/slash-commands.statements.js';
import * as triggers from './triggers/slash-triggers.statements.js';
import { SlashCommand } from './commands/slash-command.entity.js';

describeStatements(polls, reminders, commands, triggers);
describeEntities(SlashCommand);

describeClaims({
  statement: triggers.DROP_TRIGGERS,
  params: [7],
  fill: `INSERT INTO slash_triggers (space_id, id, bot_id, conversation_id, expires_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() - interval '2 days' FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM slash_triggers',
  takes: 7,
});
