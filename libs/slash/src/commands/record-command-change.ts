import type { ChangedBot } from '@tieline/bots';
import type { Tx } from '@tieline/platform/database';
import { auditedOf } from '@tieline/platform/resource';
import { changesBetween, recordChange } from '@tieline/spaces';
import { COMMAND } from './command.js';
import type { CommandSettings } from './command.js';
import type { SlashCommand } from './slash-command.entity.js';

type Registered = CommandSettings & Pick<SlashCommand, 'id' | 'isActive'>;

/** A change of a command. */
export type CommandChange =
  | { action: 'slash_command.registered' | 'slash_command.deleted' | 'slash_command.secret_rotated' }
  | { action: 'slash_command.updated'; before: Registered };

/**
 * Writes a change of a command to the audit log, in the transaction of the change. Never records a
 * secret.
 */
export async function recordCommandChange(
  tx: Tx,
  { spaceId, origin }: ChangedBot,
  change: CommandChange,
  command: Registered,
): Promise<void> {
  await recordChange(tx, {
    ...origin,
    spaceId,
    action: change.action,
    objectType: 'slash_command',
    objectId: command.id,
    changes: changesOf(change, command),
  });
}

function changesOf(change: CommandChange, command: Registered): ReturnType<typeof changesBetween> {
  switch (change.action) {
    case 'slash_command.registered':
      return changesBetween(null, auditedOf(COMMAND, command));
    case 'slash_command.updated':
      return changesBetween(auditedOf(COMMAND, change.before), auditedOf(COMMAND, command));
    case 'slash_command.deleted':
      return { name: { from: command.name, to: null } };
    case 'slash_command.secret_rotated':
      return {};
  }
}
