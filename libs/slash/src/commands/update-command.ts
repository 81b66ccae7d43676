import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { EgressPolicy } from '@tieline/egress';
import { isDeepStrictEqual } from 'node:util';
import { nameTaken } from '../slash.errors.js';
import {
  checkCallbackUrl,
  isActiveNow,
  requireDeliverable,
  requireMode,
} from './callbacks/command-callback.js';
import type { CommandRef } from './command-ref.js';
import type { NewCommand } from './new-command.js';
import { recordCommandChange } from './record-command-change.js';
import type { Requester } from './record-command-change.js';
import { SlashCommand } from './slash-command.entity.js';
import { lockCommand } from './slash-commands.queries.js';
import {
  COUNT_COMMANDS,
  DROP_ORPHANED_COMMANDS_OF_SPACE,
  LOCK_COMMANDS_OF_SPACE,
} from './slash-commands.statements.js';

/**
 * Changes a command of the calling bot. Its id, secret and triggers stay valid. Undefined fields
 * stay unchanged.
 * @throws 404 if the bot has no such command; 400 for an address that outgoing requests may not
 *   reach, or no address if the bot does not poll; 409 if another command in the space has the name
 */
export async function updateCommand(
  db: Db,
  policy: EgressPolicy,
  requester: Requester,
  ref: CommandRef,
  change: Partial<NewCommand>,
): Promise<SlashCommand> {
  await checkCallbackUrl(policy, change.callbackUrl ?? '');
  return runInTx(
    db,
    async (tx) => {
      const mode = await requireMode(tx, requester);
      if (change.callbackUrl !== undefined) requireDeliverable(mode, change.callbackUrl);
      // Taken before the lock of the command's row, in the same order as registrations.
      if (change.name !== undefined) await tx.query(LOCK_COMMANDS_OF_SPACE, [requester.spaceId]);
      const command = await lockCommand(tx, requester, ref);
      const changed = differences(command, change);
      if (changed.name !== undefined) await requireFreeName(tx, requester, changed.name);
      const isActive = isActiveNow({ ...command, ...changed }, mode);
      if (Object.keys(changed).length === 0 && isActive === command.isActive) return command;
      const after: SlashCommand = { ...command, ...changed, isActive, updatedAt: new Date() };
      const { spaceId, id } = command;
      await tx.manager.update(
        SlashCommand,
        { spaceId, id },
        { ...changed, isActive, updatedAt: after.updatedAt },
      );
      await recordCommandChange(tx, requester, { action: 'slash_command.updated', before: command }, after);
      return after;
    },
    { spaceId: requester.spaceId, place: 'commands' },
  );
}

/**
 * Checks the name. The caller holds the lock of the space's commands. Names of deleted bots are
 * available.
 */
async function requireFreeName(tx: Tx, { spaceId, botId }: Requester, name: string): Promise<void> {
  await tx.query(DROP_ORPHANED_COMMANDS_OF_SPACE, [spaceId]);
  const [row] = await tx.query(COUNT_COMMANDS, [spaceId, botId, name]);
  if (!row || row.taken > 0) throw nameTaken();
}

function differences(command: SlashCommand, change: Partial<NewCommand>): Partial<NewCommand> {
  const fields = Object.entries(change) as [keyof NewCommand, unknown][];
  return Object.fromEntries(
    fields.filter(([field, value]) => value !== undefined && !isDeepStrictEqual(value, command[field])),
  );
}
