import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { isCommandName } from './command-body.js';
import { recordCommandChange } from './record-command-change.js';
import type { Requester } from './record-command-change.js';
import { commandNotFound } from '../slash.errors.js';
import { COMMAND_COLUMNS } from './slash-commands.queries.js';
import type { CommandRow } from './slash-commands.queries.js';

/**
 * Deletes a command of the calling bot; its name is free at once. Triggers that were issued stay good, because somebody
 * waits for the answer.
 * @throws 404 when the bot has none of this name
 */
export async function deleteCommand(db: Db, requester: Requester, name: string): Promise<void> {
  if (!isCommandName(name)) throw commandNotFound();
  await runInTx(db, async (tx) => {
    const [row] = await tx.query<CommandRow>(
      `DELETE FROM slash_commands WHERE space_id = $1 AND bot_id = $2 AND name = $3 RETURNING ${COMMAND_COLUMNS}`,
      [requester.spaceId, requester.botId, name],
    );
    if (!row) throw commandNotFound();
    await recordCommandChange(tx, requester, 'slash_command.deleted', row);
  });
}
