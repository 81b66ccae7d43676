import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { isCommandName } from './command-name.js';
import { recordCommandChange } from './record-command-change.js';
import type { Requester } from './record-command-change.js';
import { commandNotFound } from '../slash.errors.js';
import { SlashCommand } from './slash-command.entity.js';

/**
 * Deletes a command of the calling bot; its name is free at once. Triggers already issued stay valid, because somebody
 * is waiting for the answer.
 * @throws 404 when the bot has none of this name
 */
export async function deleteCommand(db: Db, requester: Requester, name: string): Promise<void> {
  if (!isCommandName(name)) throw commandNotFound();
  await runInTx(db, async (tx) => {
    const { spaceId, botId } = requester;
    const command = await tx.manager.findOne(SlashCommand, {
      where: { spaceId, botId, name },
      lock: { mode: 'pessimistic_write' },
    });
    if (!command) throw commandNotFound();
    await tx.manager.delete(SlashCommand, { spaceId, id: command.id });
    await recordCommandChange(tx, requester, 'slash_command.deleted', command);
  });
}
