import type { RetryProfile } from '@tieline/delivery';
import type { BotChanged } from '../accounts/bot-changed.js';
import type { EventDeliveryMode, EventFormat } from '../accounts/bot.js';

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
  /** The installation of the app that the bot belongs to; absent for bots without one. */
  installationId?: string | undefined;
  /** Absent: native. */
  eventFormat?: EventFormat | undefined;
  /** Slack's names of the events it subscribed to. Absent: no restriction. */
  slackEvents?: string[] | undefined;
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
  installationId,
  eventFormat,
  slackEvents = [],
}: BotChanged): BotPlan | null {
  if (!isActive || isDeleted) return null;
  return {
    ...{ id: botId, eventTypes, channelIds, mode, retryProfile },
    ...(installationId && { installationId }),
    ...(eventFormat === 'slack' && { eventFormat }),
    ...(slackEvents.length > 0 && { slackEvents }),
  };
}
