import { ADAPTIVE_CARD } from './teams/adaptive-card.js';
import { ALERTMANAGER } from './alertmanager.js';
import { APPRISE } from './apprise.js';
import { GITHUB } from './forges/github.js';
import { GITLAB } from './forges/gitlab.js';
import { GRAFANA, GRAFANA_LEGACY } from './grafana.js';
import { HEALTHCHECKS } from './healthchecks.js';
import { MESSAGE_CARD } from './teams/message-card.js';
import type { NativeFormat, NativeHints } from './native-format.js';
import { Payload } from './payload.js';
import { SENTRY, SENTRY_LEGACY } from './sentry.js';
import { TITLED_MESSAGE } from './titled-message.js';
import { UPTIME_KUMA } from './uptime-kuma.js';

/**
 * The first format that recognizes a body reads it, so formats with more distinctive fields come
 * first.
 */
const FORMATS: readonly NativeFormat[] = [
  MESSAGE_CARD,
  ADAPTIVE_CARD,
  GRAFANA,
  ALERTMANAGER,
  GITHUB,
  GITLAB,
  SENTRY,
  UPTIME_KUMA,
  APPRISE,
  GRAFANA_LEGACY,
  SENTRY_LEGACY,
  HEALTHCHECKS,
  TITLED_MESSAGE,
];
const MAX_KEYS = 20;
const MAX_KEY = 40;

/** Whether a body is a Microsoft Teams card. Cards share fields with the block-kit format. */
export function isTeamsCard(body: unknown): boolean {
  return [MESSAGE_CARD, ADAPTIVE_CARD].some((format) => format.recognizes(new Payload(body), {}));
}

/** Returns the native format of a body, if any. */
export function nativeFormatOf(body: Payload, hints: NativeHints = {}): NativeFormat | undefined {
  return FORMATS.find((format) => format.recognizes(body, hints));
}

/** Start of the reason for rejecting a body in an unknown format. */
export const UNKNOWN_FORMAT = 'unknown format';

/** Returns the reason for rejecting a body in an unknown format, with its field names. */
export function unknownFormat({ keys }: Payload): string {
  const shown = keys.slice(0, MAX_KEYS).map((key) => key.slice(0, MAX_KEY).toWellFormed());
  const more = keys.length > shown.length ? `, … (${keys.length})` : '';
  return `${UNKNOWN_FORMAT}: keys ${shown.join(', ') || 'none'}${more}`;
}
