import { Injectable } from '@nestjs/common';
import type { ChangedBot } from '@tieline/bots';
import { EgressPolicy } from '@tieline/egress';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { changesOf } from '@tieline/platform/resource';
import { nameTaken } from '../slash.errors.js';
import {
  checkCallbackUrl,
  isActiveNow,
  requireDeliverable,
  requireMode,
} from './callbacks/command-callback.js';
import type { CommandRef } from './command-ref.js';
import type { CommandInput, CommandSettings } from './command.js';
import { recordCommandChange } from './record-command-change.js';
import { SlashCommand } from './slash-command.entity.js';
import { lockCommand } from './slash-commands.queries.js';
import {
  COUNT_COMMANDS,
  DROP_ORPHANED_COMMANDS_OF_SPACE,
  LOCK_COMMANDS_OF_SPACE,
} from './slash-commands.statements.js';

/** Changes commands. */
@Injectable()
export class UpdateCommand {
  constructor(
    private readonly db: Db,
    private readonly policy: EgressPolicy,
  ) {}

  /**
   * Changes a command of the calling bot. Its id, secret and triggers stay valid. Undefined fields
   * stay unchanged.
   * @throws 404 if the bot has no such command. 400 for an address that outgoing requests may not
   *   reach, or no address if the bot does not poll. 409 if another command has the name.
   */
  async run(bot: ChangedBot, ref: CommandRef, change: CommandInput): Promise<SlashCommand> {
    await checkCallbackUrl(this.policy, change.callbackUrl ?? '');
    const place = { spaceId: bot.spaceId, place: 'commands' };
    return runInTx(this.db, (tx) => this.in(tx, bot, ref, change), place);
  }

  /** Like {@link run}, in the caller's transaction. The caller has checked the address. */
  async in(tx: Tx, bot: ChangedBot, ref: CommandRef, change: CommandInput): Promise<SlashCommand> {
    const mode = await requireMode(tx, bot);
    if (change.callbackUrl !== undefined) requireDeliverable(mode, change.callbackUrl);
    // Taken before the lock of the command's row, in the same order as registrations.
    if (change.name !== undefined) await tx.query(LOCK_COMMANDS_OF_SPACE, [bot.spaceId]);
    const command = await lockCommand(tx, bot, ref);
    const changed = changesOf<CommandSettings>(command, change);
    if (changed.name !== undefined) await requireFreeName(tx, bot, changed.name);
    const isActive = isActiveNow({ ...command, ...changed }, mode);
    if (Object.keys(changed).length === 0 && isActive === command.isActive) return command;
    const after: SlashCommand = { ...command, ...changed, isActive, updatedAt: new Date() };
    const { spaceId, id } = command;
    await tx.manager.update(
      SlashCommand,
      { spaceId, id },
      { ...changed, isActive, updatedAt: after.updatedAt },
    );
    await recordCommandChange(tx, bot, { action: 'slash_command.updated', before: command }, after);
    return after;
  }
}

/**
 * Checks the name. The caller holds the lock of the space's commands. Names of deleted bots are
 * available.
 */
async function requireFreeName(tx: Tx, { spaceId, botId }: ChangedBot, name: string): Promise<void> {
  await tx.query(DROP_ORPHANED_COMMANDS_OF_SPACE, [spaceId]);
  const [row] = await tx.query(COUNT_COMMANDS, [spaceId, botId, name]);
  if (!row || row.taken > 0) throw nameTaken();
}
