import type { EventDeliveryMode } from '@tieline/bots';
import { statement } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';

/** A row of `slash_commands` without its secret. */
export interface CommandRow {
  id: string;
  space_id: string;
  bot_id: string;
  name: string;
  description: string;
  usage_hint: string;
  callback_url: string;
  created_at: Date;
  updated_at: Date;
}

export type ListedCommand = Pick<CommandRow, 'name' | 'description' | 'usage_hint' | 'bot_id'>;

/** What an invocation needs to reach the bot. */
export interface InvokedCommand {
  id: string;
  botId: string;
  callbackUrl: string;
  /** Sealed. */
  signingSecret: Buffer;
  mode: EventDeliveryMode;
}

export const COMMAND_COLUMNS =
  'id, space_id, bot_id, name, description, usage_hint, callback_url, created_at, updated_at';

// Of a bot that is disabled or deleted nothing can be invoked (decisions, section 5).
const FROM_ACTIVE_BOTS = `FROM slash_commands c JOIN bots b ON b.space_id = c.space_id AND b.id = c.bot_id AND b.is_active AND b.deleted_at IS NULL`;

const FIND = statement(
  'slash.find_command',
  `SELECT c.id ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1 AND c.name = $2`,
);
const HOLD = statement(
  'slash.hold_command',
  `SELECT c.id, c.bot_id AS "botId", c.callback_url AS "callbackUrl", c.signing_secret AS "signingSecret", b.event_delivery_mode AS mode
     ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1 AND c.id = $2 FOR SHARE OF b`,
);

/** The id of the command that a person can invoke by this name, or undefined. */
export async function findCommandId(
  q: Queryable,
  spaceId: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await q.query<{ id: string }>(FIND, [spaceId, name]);
  return row?.id;
}

/** The command with its bot's mode, which stays as it is until the end of the transaction; undefined when one of them is gone. */
export async function holdCommand(
  tx: Tx,
  spaceId: string,
  commandId: string,
): Promise<InvokedCommand | undefined> {
  const [row] = await tx.query<InvokedCommand>(HOLD, [spaceId, commandId]);
  return row;
}

/** A bot's own commands, by name. */
export async function commandsOfBot(q: Queryable, spaceId: string, botId: string): Promise<CommandRow[]> {
  return q.query<CommandRow>(
    `SELECT ${COMMAND_COLUMNS} FROM slash_commands WHERE space_id = $1 AND bot_id = $2 ORDER BY name`,
    [spaceId, botId],
  );
}

/** What bots offer to the people of a space. */
export async function commandsOfSpace(q: Queryable, spaceId: string): Promise<ListedCommand[]> {
  return q.query<ListedCommand>(
    `SELECT c.name, c.description, c.usage_hint, c.bot_id ${FROM_ACTIVE_BOTS} WHERE c.space_id = $1`,
    [spaceId],
  );
}
