/**
 * An admin's settings of an incoming webhook (contract, Incoming webhook payload; decisions,
 * section 7).
 */
export interface IncomingSettings {
  name: string;
  conversationId: string;
  requireSignature: boolean;
  defaultPush: boolean;
  avatarUrl: string;
  severityFromColor: boolean;
  groupAlerts: boolean;
  /** null: where a signature is required. */
  replayProtection: boolean | null;
  isActive: boolean;
}

/** What a request names; undefined stays. */
export type GivenIncomingSettings = {
  [Key in keyof IncomingSettings]?: IncomingSettings[Key] | undefined;
} & {
  /** Secret of the sender's own signature scheme; empty: none. Stored sealed, never shown. */
  nativeSecret?: string | undefined;
};

/** What a new webhook must have; the rest has defaults. */
export type NewIncomingSettings = GivenIncomingSettings & Pick<IncomingSettings, 'name' | 'conversationId'>;

/** The settings under the names that the API shows. */
const SHOWN_AS: Readonly<Record<keyof IncomingSettings, string>> = {
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
const KEYS = Object.keys(SHOWN_AS) as (keyof IncomingSettings)[];

/** The settings of a new webhook. */
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

/** Those of the given settings that differ from the present ones. */
export function changedSettings(
  present: IncomingSettings,
  given: GivenIncomingSettings,
): Partial<IncomingSettings> {
  const changed = KEYS.filter((key) => given[key] !== undefined && given[key] !== present[key]);
  return Object.fromEntries(changed.map((key) => [key, given[key]]));
}

/** Settings as the audit log shows them. */
export function shownSettings(settings: Partial<IncomingSettings>): Record<string, unknown> {
  return Object.fromEntries(
    KEYS.filter((key) => settings[key] !== undefined).map((key) => [SHOWN_AS[key], settings[key]]),
  );
}
