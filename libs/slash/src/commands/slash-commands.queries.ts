import type { Db, Queryable, RowOf, Tx } from '@tieline/platform/database';
import { commandNotFound } from '../slash.errors.js';
import type { CommandRef } from './command-ref.js';
import type { ChangedBot } from '@tieline/bots';
import { SlashCommand } from './slash-command.entity.js';
import {
  FIND_COMMAND,
  FIND_COMMAND_CALLBACK,
  HOLD_COMMAND,
  LIST_COMMANDS_OF_SPACE,
} from './slash-commands.statements.js';

/** A command as listed for people. */
export type ListedCommand = RowOf<typeof LIST_COMMANDS_OF_SPACE>;

/** A command with the fields needed to call its bot. The secret is sealed. */
export type InvokedCommand = RowOf<typeof HOLD_COMMAND>;

/** A command that can be invoked. */
export type FoundCommand = RowOf<typeof FIND_COMMAND>;

/** Returns the command that can be invoked by this name, or undefined. */
export async function findCommand(
  q: Queryable,
  spaceId: string,
  name: string,
): Promise<FoundCommand | undefined> {
  const [row] = await q.query(FIND_COMMAND, [spaceId, name]);
  return row;
}

/**
 * Returns the command and locks its bot's mode (shared) until the end of the transaction; undefined
 * if either was deleted.
 */
export async function holdCommand(
  tx: Tx,
  spaceId: string,
  commandId: string,
): Promise<InvokedCommand | undefined> {
  const [row] = await tx.query(HOLD_COMMAND, [spaceId, commandId]);
  return row;
}

/** Returns the callback of a command; undefined if the command can no longer be invoked. */
export async function findCommandCallback(
  q: Queryable,
  spaceId: string,
  commandId: string,
): Promise<RowOf<typeof FIND_COMMAND_CALLBACK> | undefined> {
  const [row] = await q.query(FIND_COMMAND_CALLBACK, [spaceId, commandId]);
  return row;
}

/** Returns all commands of a bot, sorted by name. */
export async function commandsOfBot(
  { manager }: Pick<Db, 'manager'>,
  spaceId: string,
  botId: string,
): Promise<SlashCommand[]> {
  return manager.find(SlashCommand, { where: { spaceId, botId }, order: { name: 'ASC' } });
}

/** Returns the commands of a bot that can be invoked. */
export async function activeCommandsOfBot(db: Db, spaceId: string, botId: string): Promise<SlashCommand[]> {
  return (await commandsOfBot(db, spaceId, botId)).filter(({ isActive }) => isActive);
}

/** Returns one of a bot's own commands. @throws 404 if the bot has no such command */
export async function findOwnCommand(
  db: Db,
  { spaceId, botId }: Pick<ChangedBot, 'spaceId' | 'botId'>,
  ref: CommandRef,
): Promise<SlashCommand> {
  const command = await db.manager.findOneBy(SlashCommand, { spaceId, botId, ...ref });
  if (!command) throw commandNotFound();
  return command;
}

/**
 * Returns one of a bot's own commands with its sealed secret, locked until the end of the
 * transaction.
 */
export async function lockCommand(
  tx: Tx,
  { spaceId, botId }: Pick<ChangedBot, 'spaceId' | 'botId'>,
  ref: CommandRef,
): Promise<SlashCommand> {
  const command = await tx.manager
    .createQueryBuilder(SlashCommand, 'c')
    .addSelect('c.signingSecret')
    .where({ spaceId, botId, ...ref })
    .setLock('for_no_key_update')
    .getOne();
  if (!command) throw commandNotFound();
  return command;
}

/** Returns the bots' commands that people of a space can invoke. */
export async function commandsOfSpace(q: Queryable, spaceId: string): Promise<ListedCommand[]> {
  return q.query(LIST_COMMANDS_OF_SPACE, [spaceId]);
}
