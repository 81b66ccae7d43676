import type { RetryProfile } from '@tieline/delivery';

/** How a bot receives its events. */
export const EVENT_DELIVERY_MODES = ['none', 'poll', 'webhook'] as const;
/** One of {@link EVENT_DELIVERY_MODES}. */
export type EventDeliveryMode = (typeof EVENT_DELIVERY_MODES)[number];

/** A bot's settings, set by admins and in part by the bot itself. */
export interface BotSettings {
  displayName: string;
  avatarUrl: string;
  isActive: boolean;
  eventTypes: string[];
  channelIds: string[];
  eventDeliveryMode: EventDeliveryMode;
  webhookUrl: string;
  /** The retry profile of pushes planned from now on. */
  retryProfile: RetryProfile;
}

/** The settings of a new bot. Without event types it receives only direct events. */
export const DEFAULT_SETTINGS: Omit<BotSettings, 'displayName'> = {
  avatarUrl: '',
  isActive: true,
  eventTypes: [],
  channelIds: [],
  eventDeliveryMode: 'none',
  webhookUrl: '',
  retryProfile: 'contract',
};

/** Returns whether mode `webhook` lacks the stored URL that it requires. */
export function lacksWebhookUrl({
  eventDeliveryMode,
  webhookUrl,
}: Pick<BotSettings, 'eventDeliveryMode' | 'webhookUrl'>): boolean {
  return eventDeliveryMode === 'webhook' && webhookUrl === '';
}

/** Returns the settings of `change` that differ from `current`. Ignores undefined ones. */
export function changedSettings(current: BotSettings, change: Partial<BotSettings>): Partial<BotSettings> {
  const entries = Object.entries(change) as [keyof BotSettings, BotSettings[keyof BotSettings] | undefined][];
  return Object.fromEntries(
    entries.filter(
      ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(current[key]),
    ),
  );
}
