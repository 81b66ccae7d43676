import { describePlans } from '@tieline/testing';
import * as polls from './builtins/poll/polls.statements.js';
import * as reminders from './builtins/remind/reminders.statements.js';
import {
  COUNT_COMMANDS,
  DROP_ORPHANED_COMMANDS,
  DROP_ORPHANED_COMMANDS_OF_SPACE,
  FIND_COMMAND,
  FIND_COMMAND_CALLBACK,
  FORGET_PREVIOUS_SECRETS,
  HOLD_COMMAND,
  LIST_COMMANDS_OF_SPACE,
} from './commands/slash-commands.statements.js';
import { DROP_TRIGGERS, LOCK_TRIGGER, MARK_TRIGGER_USED } from './triggers/slash-triggers.statements.js';

/** Returns the n-th id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
/** Fifty rows share a space. */
const SPACE = ID.replace('to_hex(n)', 'to_hex(1 + n / 50)');
const SPACE_OF_4000 = id(81);

// One trigger, poll and reminder in a thousand is due, and one bot in a thousand is deleted. One
// space has a bot with as many rows as all others share.
const FILL = `
  INSERT INTO spaces (id, name) SELECT ${ID}, 'Acme' FROM generate_series(1, 5000) n;
  INSERT INTO bots (space_id, id, display_name, webhook_secret, token_hash, deleted_at)
    SELECT ${SPACE}, ${ID}, 'Robot', '', decode(replace(${ID}::text, '-', ''), 'hex'), CASE WHEN n % 1000 = 1 THEN now() END FROM generate_series(1, 200000) n;
  INSERT INTO slash_commands (space_id, id, bot_id, name, signing_secret) SELECT ${SPACE}, ${ID}, ${ID}, 'c' || n, '' FROM generate_series(1, 200000) n;
  INSERT INTO slash_triggers (space_id, id, bot_id, conversation_id, expires_at)
    SELECT ${SPACE}, ${ID}, ${ID}, ${ID}, now() - CASE WHEN n % 1000 = 0 THEN interval '25 hours' ELSE interval '1 hour' END FROM generate_series(1, 200000) n;
  INSERT INTO polls (space_id, message_id, creator_id, question, options, version, changed_at)
    SELECT ${SPACE}, ${ID}, ${ID}, '?', '{a,b}', CASE WHEN n % 1000 = 0 THEN 1 ELSE 0 END, now() - interval '1 minute' FROM generate_series(1, 200000) n;
  INSERT INTO poll_votes (space_id, message_id, user_id, option)
    SELECT '${SPACE_OF_4000}', ${ID.replace('to_hex(n)', 'to_hex(n % 20000)')}, ${ID}, 1 FROM generate_series(1, 200000) n;
  INSERT INTO reminders (space_id, id, user_id, conversation_id, text, due_at, time_zone, next_try_at)
    SELECT ${SPACE}, ${ID}, ${ID}, ${ID}, 'tea', t.at, 'UTC', t.at
      FROM generate_series(1, 200000) n, LATERAL (SELECT now() + CASE WHEN n % 1000 = 0 THEN interval '-1 minute' ELSE interval '1 day' END AS at) t`;

const one = [SPACE_OF_4000, id(4000)];

describePlans(
  FILL,
  [
    { statement: FIND_COMMAND, params: [SPACE_OF_4000, 'c4000'] },
    { statement: HOLD_COMMAND, params: one },
    { statement: FIND_COMMAND_CALLBACK, params: one },
    { statement: LIST_COMMANDS_OF_SPACE, params: [SPACE_OF_4000] },
    { statement: COUNT_COMMANDS, params: [SPACE_OF_4000, id(4000), 'c4000'] },
    { statement: DROP_ORPHANED_COMMANDS_OF_SPACE, params: [SPACE_OF_4000] },
    { statement: DROP_ORPHANED_COMMANDS, params: [] },
    { statement: FORGET_PREVIOUS_SECRETS, params: [] },
    { statement: LOCK_TRIGGER, params: one },
    { statement: MARK_TRIGGER_USED, params: one },
    { statement: DROP_TRIGGERS, params: [100] },
    { statement: polls.FIND_POLL, params: one },
    { statement: polls.LOCK_POLL, params: one },
    {
      statement: polls.SET_VOTE,
      params: { spaceId: SPACE_OF_4000, messageId: id(4000), userId: id(1), option: 1 },
    },
    { statement: polls.COUNT_VOTES, params: one },
    { statement: polls.MARK_POLL_SHOWN, params: one },
    { statement: polls.FIND_UNSHOWN_POLLS, params: [1, 100], unprepared: true },
    { statement: reminders.LIST_REMINDERS, params: one },
    { statement: reminders.LOCK_REMINDER_AT, params: [...one, 0] },
    { statement: reminders.CLAIM_REMINDER, params: [] },
    { statement: reminders.FIND_NEXT_REMINDER, params: [] },
    { statement: reminders.POSTPONE_REMINDER, params: [...one, 30] },
  ],
  ['slash_commands.space_id', 'slash_commands.bot_id'],
);
