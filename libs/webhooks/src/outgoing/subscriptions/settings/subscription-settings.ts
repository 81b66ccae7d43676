import type { RetryProfile } from '@tieline/delivery';
import { thinWithContext } from '../../outgoing-webhooks.errors.js';
import type { Payload } from '../../planning/thin-data.js';
import type { SubscriptionConfig } from '../../planning/subscription-config.js';
import type { Trigger, TriggerConfig } from './trigger-config.js';
import { parseTriggerConfig } from './trigger-config.js';

export type SubscriptionStatus = 'active' | 'inactive';

/** An admin's settings of a subscription (contract, section Outgoing webhook subscription). */
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
  /** By which deliveries are tried that are planned from now on. */
  retryProfile: RetryProfile;
  /** Thin ones have no context. */
  payload: Payload;
  /** Whether the events of a conversation come one after another. */
  ordered: boolean;
}

/**
 * Settings as a request names them: undefined ones were not given, and `triggerConfig` is not yet
 * read.
 */
export type GivenSettings = Partial<Omit<SubscriptionSettings, 'triggerConfig'>> & {
  triggerConfig?: Record<string, unknown>;
};

/** What a new subscription cannot do without, and what else a request names. */
export type NewSubscription = GivenSettings & Pick<SubscriptionSettings, 'name' | 'url' | 'eventTypes'>;

/** What a subscription has when nobody said otherwise (decisions, section 4). */
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
 * The settings after a request. A new trigger starts from an empty configuration unless the request
 * brings one.
 * @throws 400 when trigger and trigger_config do not fit together, or a thin payload is to have a
 * context
 */
export function applySettings(current: SubscriptionSettings, given: GivenSettings): SubscriptionSettings {
  const named = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as GivenSettings;
  const next = { ...settingsOf(current), ...named };
  if (next.payload === 'thin' && next.includeContext) throw thinWithContext();
  const kept = next.trigger === current.trigger ? current.triggerConfig : {};
  return { ...next, triggerConfig: parseTriggerConfig(next.trigger, named.triggerConfig ?? { ...kept }) };
}

/** The settings alone of what has more, such as a row. */
export function settingsOf(row: SubscriptionSettings): SubscriptionSettings {
  const { name, url, eventTypes, channelIds, trigger, triggerConfig } = row;
  const { includeContext, contextSize, status, retryProfile, payload, ordered } = row;
  return {
    ...{ name, url, eventTypes, channelIds, trigger, triggerConfig },
    ...{ includeContext, contextSize, status, retryProfile, payload, ordered },
  };
}

/** The settings that differ between two versions. */
export function differences(
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

/** What the planner needs to know of a subscription, or null while it gets nothing. */
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
