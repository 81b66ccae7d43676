import { deliveryModeOf } from '@tieline/bots';
import type { EventDeliveryMode } from '@tieline/bots';
import { urlRefused } from '@tieline/egress';
import type { EgressPolicy } from '@tieline/egress';
import type { Tx } from '@tieline/platform/database';
import { invalidToken } from '@tieline/platform/http';
import { callbackUrlRequired } from '../../slash.errors.js';
import type { ChangedBot } from '@tieline/bots';
import type { SlashCommand } from '../slash-command.entity.js';

/**
 * Checks a callback address. Resolves DNS, so it must not run inside a transaction. @throws 400 for
 * an address that outgoing requests may not reach
 */
export async function checkCallbackUrl(policy: EgressPolicy, callbackUrl: string): Promise<void> {
  if (callbackUrl === '') return;
  const verdict = await policy.checkUrlResolved(callbackUrl);
  if (!verdict.allowed) throw urlRefused('callback_url', verdict.reason);
}

/**
 * Returns the calling bot's mode and locks it until the end of the transaction. @throws 401 if the
 * bot has been deleted
 */
export async function requireMode(tx: Tx, { spaceId, botId }: ChangedBot): Promise<EventDeliveryMode> {
  const mode = await deliveryModeOf(tx, spaceId, botId);
  if (mode === undefined) throw invalidToken();
  return mode;
}

/** @throws 400 unless there is an address or the bot polls */
export function requireDeliverable(mode: EventDeliveryMode, callbackUrl: string): void {
  if (callbackUrl === '' && mode !== 'poll') throw callbackUrlRequired();
}

/**
 * Returns whether a command can be invoked. After a reset of its bot a command needs a new secret,
 * and an address unless the bot polls.
 */
export function isActiveNow(
  { isActive, callbackUrl, signingSecret }: Pick<SlashCommand, 'isActive' | 'callbackUrl' | 'signingSecret'>,
  mode: EventDeliveryMode,
): boolean {
  return isActive || (signingSecret != null && (callbackUrl !== '' || mode === 'poll'));
}
