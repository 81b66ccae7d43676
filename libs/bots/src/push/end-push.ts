import type { Tx } from '@tieline/platform/database';
import { killPending } from '@tieline/delivery';
import type { BotSettings } from '../accounts/bot.js';
import { PUSH, SUBSCRIPTION_INACTIVE } from './push-kind-name.js';

/** Returns whether events are pushed to the bot's webhook. */
export function isPushed({
  isActive,
  eventDeliveryMode,
}: Pick<BotSettings, 'isActive' | 'eventDeliveryMode'>): boolean {
  return isActive && eventDeliveryMode === 'webhook';
}

/**
 * Ends the pending deliveries to a bot that no longer receives pushes. The caller holds the bot's
 * row lock.
 */
export async function endPush(tx: Tx, botId: string): Promise<void> {
  await killPending(tx, { kind: PUSH, targetId: botId, error: SUBSCRIPTION_INACTIVE });
}
