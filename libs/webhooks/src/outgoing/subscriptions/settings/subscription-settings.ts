import type { RetryProfile } from '@tieline/delivery';
import { thinWithContext } from '../../outgoing-webhooks.errors.js';
import type { Payload } from '../../planning/thin-data.js';
import type { SubscriptionConfig } from '../../planning/subscription-config.js';
import type { Trigger, TriggerConfig } from './trigger-config.js';
import { parseTriggerConfig } from './trigger-config.js';

export type SubscriptionStatus = 'active' | 'inactive';

/** Settings of a subscription that admins can change. */
export interface SubscriptionSettings {
  name: string;
  url: string;
  /** At least one. */
  eventTypes: string[];
  /** Empty: all channels of the space. */
  channelIds: string[];
  trigger: Trigger;
  triggerConfig: TriggerConfig;
  includeContext: boolean;
  contextSize: number;
  status: SubscriptionStatus;
  /** Retry schedule of deliveries planned from now on. */
  retryProfile: RetryProfile;
  /** Thin payloads have no context. */
  payload: Payload;
  /** Whether events of a conversation are sent in order. */
  ordered: boolean;
}

/** Settings in a request. Undefined ones stay unchanged. `triggerConfig` is not parsed yet. */
export type SettingsInput = Partial<Omit<SubscriptionSettings, 'triggerConfig'>> & {
  triggerConfig?: Record<string, unknown>;
};

/** Settings of a new subscription. All but name, URL and event types have defaults. */
export type NewSubscription = SettingsInput & Pick<SubscriptionSettings, 'name' | 'url' | 'eventTypes'>;

/** Defaults of a new subscription. */
export const DEFAULT_SETTINGS: Omit<SubscriptionSettings, 'name' | 'url' | 'eventTypes'> = {
  channelIds: [],
  trigger: 'all',
  triggerConfig: {},
  includeContext: false,
  contextSize: 10,
  status: 'active',
  retryProfile: 'contract',
  payload: 'full',
  ordered: false,
};

/**
 * Returns the settings after a request. A changed trigger starts with an empty configuration unless
 * the request contains one.
 * @throws 400 when trigger and trigger_config do not fit together, or a thin payload has a context
 */
export function applySettings(current: SubscriptionSettings, given: SettingsInput): SubscriptionSettings {
  const named = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as SettingsInput;
  const next = { ...settingsOf(current), ...named };
  if (next.payload === 'thin' && next.includeContext) throw thinWithContext();
  const kept = next.trigger === current.trigger ? current.triggerConfig : {};
  return { ...next, triggerConfig: parseTriggerConfig(next.trigger, named.triggerConfig ?? { ...kept }) };
}

/** Picks the settings from a row. */
export function settingsOf(row: SubscriptionSettings): SubscriptionSettings {
  const { name, url, eventTypes, channelIds, trigger, triggerConfig } = row;
  const { includeContext, contextSize, status, retryProfile, payload, ordered } = row;
  return {
    ...{ name, url, eventTypes, channelIds, trigger, triggerConfig },
    ...{ includeContext, contextSize, status, retryProfile, payload, ordered },
  };
}

/** Returns the settings of `after` that differ from `before`. */
export function changedSettings(
  before: SubscriptionSettings,
  after: SubscriptionSettings,
): Partial<SubscriptionSettings> {
  const keys = Object.keys(after) as (keyof SubscriptionSettings)[];
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, after[key]]),
  );
}

/** Returns the configuration for the planner, or null if the subscription is inactive. */
export function configOf({
  id,
  ...settings
}: SubscriptionSettings & { id: string }): SubscriptionConfig | null {
  if (settings.status !== 'active') return null;
  const { eventTypes, channelIds, trigger, triggerConfig, includeContext, contextSize } = settings;
  const { retryProfile, payload, ordered } = settings;
  return {
    ...{ id, eventTypes, channelIds, trigger, triggerConfig },
    ...{ includeContext, contextSize, retryProfile, payload, ordered },
  };
}
