import type { EventDeliveryMode, EventFormat } from '@tieline/bots';
import { json, nullable, statement, text } from '@tieline/platform/database';
import type { CommandOption } from './options/command-option.js';

// Commands of disabled, deleted or reset bots cannot be invoked.
const FROM_ACTIVE_BOTS = `FROM slash_commands c JOIN bots b ON b.space_id = c.space_id AND b.id = c.bot_id AND b.is_active AND b.deleted_at IS NULL AND c.is_active`;

/** Hot path: runs for every invocation. $1 space, $2 name */
export const FIND_COMMAND = statement(
  'slash_commands.find',
  `SELECT c.id, c.options ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1 AND c.name = $2`,
  { id: 'uuid', options: json<CommandOption[]>() },
);

/**
 * Hot path: runs for every invocation. Locks the bot's mode (shared) until the end of the
 * transaction. $1 space, $2 command
 */
export const HOLD_COMMAND = statement(
  'slash_commands.hold',
  `SELECT c.id, c.bot_id AS "botId", c.callback_url AS "callbackUrl", c.signing_secret AS "signingSecret",
          CASE WHEN c.previous_secret_expires_at > statement_timestamp() THEN c.previous_secret END AS "previousSecret", b.event_delivery_mode AS mode,
          b.display_name AS "botName", b.event_format AS "eventFormat", b.webhook_secret AS "botSecret",
          CASE WHEN b.previous_secret_expires_at > statement_timestamp() THEN b.previous_secret END AS "previousBotSecret"
     ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1 AND c.id = $2 FOR SHARE OF b`,
  {
    id: 'uuid',
    botId: 'uuid',
    callbackUrl: 'text',
    signingSecret: 'bytea',
    previousSecret: nullable('bytea'),
    mode: text<EventDeliveryMode>(),
    botName: 'text',
    eventFormat: text<EventFormat>(),
    botSecret: 'bytea',
    previousBotSecret: nullable('bytea'),
  },
);

/** For a modal that the command opened. $1 space, $2 command */
export const FIND_COMMAND_CALLBACK = statement(
  'slash_commands.find_callback',
  `SELECT c.id, c.callback_url AS "callbackUrl", c.signing_secret AS "signingSecret",
          CASE WHEN c.previous_secret_expires_at > statement_timestamp() THEN c.previous_secret END AS "previousSecret"
     ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1 AND c.id = $2`,
  { id: 'uuid', callbackUrl: 'text', signingSecret: 'bytea', previousSecret: nullable('bytea') },
);

/** $1 space */
export const LIST_COMMANDS_OF_SPACE = statement(
  'slash_commands.list_of_space',
  `SELECT c.name, c.description, c.usage_hint AS "usageHint", c.bot_id AS "botId", c.options ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1`,
  { name: 'text', description: 'text', usageHint: 'text', botId: 'uuid', options: json<CommandOption[]>() },
);

/** Serializes the registrations of a space, so that the limits hold. $1 space */
export const LOCK_COMMANDS_OF_SPACE = statement(
  'slash_commands.lock_space',
  `SELECT pg_advisory_xact_lock(hashtext('slash_commands'), hashtext($1)) IS NULL AS locked`,
  { locked: 'bool' },
);

/** Counts the commands with the name, of the bot, and in the space. $1 space, $2 bot, $3 name */
export const COUNT_COMMANDS = statement(
  'slash_commands.count',
  `SELECT count(*) FILTER (WHERE name = $3) AS taken, count(*) FILTER (WHERE bot_id = $2) AS mine, count(*) AS all
     FROM slash_commands WHERE space_id = $1`,
  { taken: 'int8', mine: 'int8', all: 'int8' },
);

const OF_DELETED_BOTS =
  'DELETE FROM slash_commands c USING bots b WHERE b.space_id = c.space_id AND b.id = c.bot_id AND b.deleted_at IS NOT NULL';

/** Deletes commands of deleted bots, with their secrets. $1 space */
export const DROP_ORPHANED_COMMANDS_OF_SPACE = statement(
  'slash_commands.drop_orphaned_of_space',
  `${OF_DELETED_BOTS} AND c.space_id = $1`,
  {},
);

/** Deletes commands of deleted bots, with their secrets. */
export const DROP_ORPHANED_COMMANDS = statement('slash_commands.drop_orphaned', OF_DELETED_BOTS, {});

/** Deletes secrets that no longer sign. */
export const FORGET_PREVIOUS_SECRETS = statement(
  'slash_commands.clear_previous_secrets',
  'UPDATE slash_commands SET previous_secret = NULL, previous_secret_expires_at = NULL WHERE previous_secret_expires_at <= statement_timestamp()',
  {},
);
