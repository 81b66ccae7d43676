import type { Db, Queryable, RowOf, Tx } from '@tieline/platform/database';
import { commandNotFound } from '../slash.errors.js';
import type { CommandRef } from './command-ref.js';
import type { Requester } from './record-command-change.js';
import { SlashCommand } from './slash-command.entity.js';
import {
  FIND_COMMAND,
  FIND_COMMAND_CALLBACK,
  HOLD_COMMAND,
  LIST_COMMANDS_OF_SPACE,
} from './slash-commands.statements.js';

/** A command as people are offered it. */
export type ListedCommand = RowOf<typeof LIST_COMMANDS_OF_SPACE>;

/** What an invocation needs to reach the bot; the secret is sealed. */
export type InvokedCommand = RowOf<typeof HOLD_COMMAND>;

/** A command that a person can invoke. */
export type FoundCommand = RowOf<typeof FIND_COMMAND>;

/** The command that a person can invoke by this name, or undefined. */
export async function findCommand(
  q: Queryable,
  spaceId: string,
  name: string,
): Promise<FoundCommand | undefined> {
  const [row] = await q.query(FIND_COMMAND, [spaceId, name]);
  return row;
}

/**
 * The command with its bot's mode, which stays as it is until the end of the transaction; undefined
 * when one of them is gone.
 */
export async function holdCommand(
  tx: Tx,
  spaceId: string,
  commandId: string,
): Promise<InvokedCommand | undefined> {
  const [row] = await tx.query(HOLD_COMMAND, [spaceId, commandId]);
  return row;
}

/** Where a command is called back; undefined when it can't be invoked any more. */
export async function findCommandCallback(
  q: Queryable,
  spaceId: string,
  commandId: string,
): Promise<RowOf<typeof FIND_COMMAND_CALLBACK> | undefined> {
  const [row] = await q.query(FIND_COMMAND_CALLBACK, [spaceId, commandId]);
  return row;
}

/** All commands of a bot, by name. */
export async function commandsOfBot(db: Db, spaceId: string, botId: string): Promise<SlashCommand[]> {
  return db.manager.find(SlashCommand, { where: { spaceId, botId }, order: { name: 'ASC' } });
}

/** Those that can be invoked. */
export async function activeCommandsOfBot(db: Db, spaceId: string, botId: string): Promise<SlashCommand[]> {
  return (await commandsOfBot(db, spaceId, botId)).filter(({ isActive }) => isActive);
}

/** One of a bot's own commands. @throws 404 when the bot has no such command */
export async function findOwnCommand(
  db: Db,
  { spaceId, botId }: Pick<Requester, 'spaceId' | 'botId'>,
  ref: CommandRef,
): Promise<SlashCommand> {
  const command = await db.manager.findOneBy(SlashCommand, { spaceId, botId, ...ref });
  if (!command) throw commandNotFound();
  return command;
}

/** The same with its sealed secret, locked until the end of the transaction. */
export async function lockCommand(
  tx: Tx,
  { spaceId, botId }: Pick<Requester, 'spaceId' | 'botId'>,
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

/** What bots offer to the people of a space. */
export async function commandsOfSpace(q: Queryable, spaceId: string): Promise<ListedCommand[]> {
  return q.query(LIST_COMMANDS_OF_SPACE, [spaceId]);
}
