import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import type { SlashCommand } from './slash-command.entity.js';

/** The bot whose commands change, and the origin of the change. */
export interface Requester extends Pick<BotPrincipal, 'spaceId' | 'botId'> {
  origin: Origin;
}

type Registered = Pick<
  SlashCommand,
  'id' | 'name' | 'description' | 'usageHint' | 'callbackUrl' | 'options' | 'isActive'
>;

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
  { spaceId, origin }: Requester,
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
      return changesBetween(null, fieldsOf(command));
    case 'slash_command.updated':
      return changesBetween(fieldsOf(change.before), fieldsOf(command));
    case 'slash_command.deleted':
      return { name: { from: command.name, to: null } };
    case 'slash_command.secret_rotated':
      return {};
  }
}

function fieldsOf(command: Registered): Record<string, unknown> {
  const { name, description, usageHint, callbackUrl, options, isActive } = command;
  return {
    name,
    description,
    usage_hint: usageHint,
    callback_url: callbackUrl,
    options,
    is_active: isActive,
  };
}
