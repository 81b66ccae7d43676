import { deliveryModeOf } from '@tieline/bots';
import type { EventDeliveryMode } from '@tieline/bots';
import { urlRefused } from '@tieline/egress';
import type { EgressPolicy } from '@tieline/egress';
import type { Tx } from '@tieline/platform/database';
import { invalidToken } from '@tieline/platform/http';
import { callbackUrlRequired } from '../../slash.errors.js';
import type { Requester } from '../record-command-change.js';
import type { SlashCommand } from '../slash-command.entity.js';

/**
 * Resolves names: never inside a transaction. @throws 400 for an address that outgoing requests may
 * not reach
 */
export async function checkCallbackUrl(policy: EgressPolicy, callbackUrl: string): Promise<void> {
  if (callbackUrl === '') return;
  const verdict = await policy.checkUrlResolved(callbackUrl);
  if (!verdict.allowed) throw urlRefused('callback_url', verdict.reason);
}

/**
 * The calling bot's mode, kept until the end of the transaction. @throws 401 when it was deleted
 * meanwhile
 */
export async function requireMode(tx: Tx, { spaceId, botId }: Requester): Promise<EventDeliveryMode> {
  const mode = await deliveryModeOf(tx, spaceId, botId);
  if (mode === undefined) throw invalidToken();
  return mode;
}

/** @throws 400 unless there is an address, or the bot polls */
export function requireDeliverable(mode: EventDeliveryMode, callbackUrl: string): void {
  if (callbackUrl === '' && mode !== 'poll') throw callbackUrlRequired();
}

/**
 * Whether a command can be invoked from now on: one whose bot was reset once it has a secret again,
 * and an address where the bot does not poll (decisions, section 11.1).
 */
export function isActiveNow(
  { isActive, callbackUrl, signingSecret }: Pick<SlashCommand, 'isActive' | 'callbackUrl' | 'signingSecret'>,
  mode: EventDeliveryMode,
): boolean {
  return isActive || (signingSecret != null && (callbackUrl !== '' || mode === 'poll'));
}
