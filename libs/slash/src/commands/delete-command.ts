import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { In } from 'typeorm';
import type { CommandRef } from './command-ref.js';
import { recordCommandChange } from './record-command-change.js';
import type { Requester } from './record-command-change.js';
import { commandNotFound } from '../slash.errors.js';
import { SlashCommand } from './slash-command.entity.js';

/** One command of a bot, or all of them. */
type Which = Partial<Pick<SlashCommand, 'id' | 'name'>>;

/**
 * Deletes a command of the bot; its name is free at once. Triggers already issued stay valid,
 * because somebody is waiting for the answer.
 * @throws 404 when the bot has no such command
 */
export async function deleteCommand(db: Db, requester: Requester, which: CommandRef): Promise<void> {
  if ((await deleteThose(db, requester, which)) === 0) throw commandNotFound();
}

/** Deletes all commands of the bot in the same way; without any that is all it does. */
export async function deleteCommands(db: Db, requester: Requester): Promise<void> {
  await deleteThose(db, requester, {});
}

/** @returns how many there were */
async function deleteThose(db: Db, requester: Requester, which: Which): Promise<number> {
  return runInTx(
    db,
    async (tx) => {
      const { spaceId, botId } = requester;
      const commands = await tx.manager.find(SlashCommand, {
        where: { spaceId, botId, ...which },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      await tx.manager.delete(SlashCommand, { spaceId, id: In(commands.map(({ id }) => id)) });
      for (const command of commands)
        await recordCommandChange(tx, requester, { action: 'slash_command.deleted' }, command);
      return commands.length;
    },
    { spaceId: requester.spaceId, place: 'commands' },
  );
}
