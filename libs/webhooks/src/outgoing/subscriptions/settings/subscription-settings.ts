import { changesOf, settingsOf, withDefaults } from '@tieline/platform/resource';
import { thinWithContext } from '../../outgoing-webhooks.errors.js';
import type { SubscriptionConfig } from '../../planning/subscription-config.js';
import { SUBSCRIPTION } from '../subscription.js';
import type { SettingsInput, SubscriptionSettings } from '../subscription.js';
import { parseTriggerConfig } from './trigger-config.js';

/** Defaults of a new subscription. */
export const DEFAULT_SETTINGS = withDefaults(SUBSCRIPTION, {});

/**
 * Returns the settings after a request. A changed trigger starts with an empty configuration unless
 * the request contains one.
 * @throws 400 when trigger and trigger_config do not fit together, or a thin payload has a context
 */
export function applySettings(
  current: SubscriptionSettings,
  { triggerConfig, ...given }: SettingsInput,
): SubscriptionSettings {
  const next = { ...settingsOf(SUBSCRIPTION, current), ...changesOf(current, given) };
  if (next.payload === 'thin' && next.includeContext) throw thinWithContext();
  const kept = next.trigger === current.trigger ? current.triggerConfig : {};
  return { ...next, triggerConfig: parseTriggerConfig(next.trigger, triggerConfig ?? { ...kept }) };
}

/** Returns the configuration for the planner, or null if the subscription is inactive. */
export function configOf({ id, ...row }: SubscriptionSettings & { id: string }): SubscriptionConfig | null {
  const { name, url, status, ...config } = settingsOf(SUBSCRIPTION, row);
  return status === 'active' ? { id, ...config } : null;
}
