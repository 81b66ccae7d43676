import type { ChangedBot } from '@tieline/bots';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { In } from 'typeorm';
import type { CommandRef } from './command-ref.js';
import { recordCommandChange } from './record-command-change.js';
import { commandNotFound } from '../slash.errors.js';
import { SlashCommand } from './slash-command.entity.js';

/** Selects one command of a bot, or all of them. */
type Which = Partial<Pick<SlashCommand, 'id' | 'name'>>;

/**
 * Deletes a command of the bot. Its name becomes available immediately. Triggers already issued
 * stay valid, because people are waiting for the answers.
 * @throws 404 if the bot has no such command
 */
export async function deleteCommand(db: Db, bot: ChangedBot, which: CommandRef): Promise<void> {
  const place = { spaceId: bot.spaceId, place: 'commands' };
  if ((await runInTx(db, (tx) => deleteMatching(tx, bot, which), place)) === 0) throw commandNotFound();
}

/** Deletes all commands of the bot, if it has any. */
export async function deleteCommands(db: Db, bot: ChangedBot): Promise<void> {
  await runInTx(db, (tx) => deleteMatching(tx, bot, {}), { spaceId: bot.spaceId, place: 'commands' });
}

/** Deletes a command of the bot, if it has it, in the caller's transaction. */
export async function deleteCommandIn(tx: Tx, bot: ChangedBot, which: CommandRef): Promise<void> {
  await deleteMatching(tx, bot, which);
}

/** @returns the number of deleted commands */
async function deleteMatching(tx: Tx, bot: ChangedBot, which: Which): Promise<number> {
  const { spaceId, botId } = bot;
  const commands = await tx.manager.find(SlashCommand, {
    where: { spaceId, botId, ...which },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  await tx.manager.delete(SlashCommand, { spaceId, id: In(commands.map(({ id }) => id)) });
  for (const command of commands)
    await recordCommandChange(tx, bot, { action: 'slash_command.deleted' }, command);
  return commands.length;
}
