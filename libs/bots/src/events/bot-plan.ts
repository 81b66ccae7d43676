import type { RetryProfile } from '@tieline/delivery';
import type { BotChanged } from '../accounts/bot-changed.js';
import type { EventDeliveryMode } from '../accounts/bot-settings.js';

/** What decides whether and how a bot gets an event. */
export interface BotPlan {
  id: string;
  /** Empty: none but direct events. */
  eventTypes: string[];
  /** Empty: all channels of the space. */
  channelIds: string[];
  mode: EventDeliveryMode;
  /** Absent in what was written before there were profiles. */
  retryProfile?: RetryProfile | undefined;
}

/** The plan of a bot after a change; null when it is disabled or deleted and gets nothing. */
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
