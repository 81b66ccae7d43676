import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import type { SlashCommand } from './slash-command.entity.js';

/** Whose commands are changed, by whom and from where. */
export interface Requester extends Pick<BotPrincipal, 'spaceId' | 'botId'> {
  origin: Origin;
}

type Registered = Pick<SlashCommand, 'id' | 'name' | 'description' | 'usageHint' | 'callbackUrl'>;

/** Writes to the audit log that a command came or went, in the transaction in which it did. Never a secret. */
export async function recordCommandChange(
  tx: Tx,
  { spaceId, origin }: Requester,
  action: 'slash_command.registered' | 'slash_command.deleted',
  command: Registered,
): Promise<void> {
  const { id, name, description, usageHint, callbackUrl } = command;
  const fields = { name, description, usage_hint: usageHint, callback_url: callbackUrl };
  const changes =
    action === 'slash_command.registered' ? changesBetween(null, fields) : { name: { from: name, to: null } };
  await recordChange(tx, {
    ...origin,
    spaceId,
    action,
    objectType: 'slash_command',
    objectId: id,
    changes,
  });
}
