import type { RetryProfile } from '@tieline/delivery';
import type { BotChanged } from '../accounts/bot-changed.js';
import type { EventDeliveryMode } from '../accounts/bot.js';

/** The settings that decide whether and how a bot receives an event. */
export interface BotPlan {
  id: string;
  /** Empty: only direct events. */
  eventTypes: string[];
  /** Empty: all channels of the space. */
  channelIds: string[];
  mode: EventDeliveryMode;
  /** Absent in plans written before retry profiles existed. */
  retryProfile?: RetryProfile | undefined;
}

/** Returns the plan of a bot after a change, or null if it is disabled or deleted. */
export function planAfter({
  botId,
  isActive,
  isDeleted,
  eventTypes,
  channelIds,
  eventDeliveryMode: mode,
  retryProfile,
}: BotChanged): BotPlan | null {
  return isActive && !isDeleted ? { id: botId, eventTypes, channelIds, mode, retryProfile } : null;
}
