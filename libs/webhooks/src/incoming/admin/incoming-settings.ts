/** Settings of an incoming webhook that admins can change. */
export interface IncomingSettings {
  name: string;
  conversationId: string;
  requireSignature: boolean;
  defaultPush: boolean;
  avatarUrl: string;
  severityFromColor: boolean;
  groupAlerts: boolean;
  /** null: follows `requireSignature`. */
  replayProtection: boolean | null;
  isActive: boolean;
}

/** Settings in a request. Undefined ones stay unchanged. */
export type IncomingSettingsInput = {
  [Key in keyof IncomingSettings]?: IncomingSettings[Key] | undefined;
} & {
  /** Secret of the sender's own signature scheme, stored sealed and never shown. Empty: none. */
  nativeSecret?: string | undefined;
};

/** Settings of a new webhook. All but name and channel have defaults. */
export type NewIncomingSettings = IncomingSettingsInput & Pick<IncomingSettings, 'name' | 'conversationId'>;

/** Names of the settings in the API. */
const API_NAMES: Readonly<Record<keyof IncomingSettings, string>> = {
  name: 'name',
  conversationId: 'conversation_id',
  requireSignature: 'require_signature',
  defaultPush: 'default_push',
  avatarUrl: 'avatar_url',
  severityFromColor: 'severity_from_color',
  groupAlerts: 'group_alerts',
  replayProtection: 'replay_protection',
  isActive: 'is_active',
};
const KEYS = Object.keys(API_NAMES) as (keyof IncomingSettings)[];

/** Fills in the defaults of a new webhook. */
export function withDefaults({
  name,
  conversationId,
  requireSignature = true,
  defaultPush = true,
  avatarUrl = '',
  severityFromColor = true,
  groupAlerts = true,
  replayProtection = null,
  isActive = true,
}: NewIncomingSettings): IncomingSettings {
  return {
    name,
    conversationId,
    requireSignature,
    defaultPush,
    avatarUrl,
    severityFromColor,
    groupAlerts,
    replayProtection,
    isActive,
  };
}

/** Returns the given settings that differ from the current ones. */
export function changedSettings(
  present: IncomingSettings,
  given: IncomingSettingsInput,
): Partial<IncomingSettings> {
  const changed = KEYS.filter((key) => given[key] !== undefined && given[key] !== present[key]);
  return Object.fromEntries(changed.map((key) => [key, given[key]]));
}

/** Converts settings to the names used in the audit log. */
export function toAuditSettings(settings: Partial<IncomingSettings>): Record<string, unknown> {
  return Object.fromEntries(
    KEYS.filter((key) => settings[key] !== undefined).map((key) => [API_NAMES[key], settings[key]]),
  );
}
