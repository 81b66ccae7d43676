import type { IncomingHttpHeaders } from 'node:http';
import { ALERTMANAGER } from './alertmanager/format.js';
import { APPRISE } from './apprise/format.js';
import { GITHUB } from './github/format.js';
import { GITLAB } from './gitlab/format.js';
import { GRAFANA, GRAFANA_LEGACY } from './grafana/format.js';
import { HEALTHCHECKS } from './healthchecks/format.js';
import { PAGERDUTY } from './pagerduty/format.js';
import type { NativeFormat, NativeHints } from './parts/native-format.js';
import type { Payload } from '../message/payload.js';
import type { SenderSignature } from './parts/signatures.js';
import { SENTRY, SENTRY_LEGACY } from './sentry/format.js';
import { ADAPTIVE_CARD, MESSAGE_CARD } from './teams/format.js';
import { TITLED_MESSAGE } from './titled-message/format.js';
import { UPTIME_KUMA } from './uptime-kuma/format.js';

/**
 * The first format that recognizes a body reads it, so formats with more distinctive fields come
 * first.
 */
export const FORMATS: readonly NativeFormat[] = [
  MESSAGE_CARD,
  ADAPTIVE_CARD,
  GRAFANA,
  ALERTMANAGER,
  GITHUB,
  GITLAB,
  SENTRY,
  UPTIME_KUMA,
  PAGERDUTY,
  APPRISE,
  GRAFANA_LEGACY,
  SENTRY_LEGACY,
  HEALTHCHECKS,
  TITLED_MESSAGE,
];
const MAX_KEYS = 20;
const MAX_KEY = 40;

/** Returns the native format of a body, if any. */
export function nativeFormatOf(body: Payload, hints: NativeHints = {}): NativeFormat | undefined {
  return FORMATS.find((format) => format.recognizes(body, hints));
}

/** Returns the signatures in senders' own schemes. */
export function senderSignatures(headers: IncomingHttpHeaders): SenderSignature[] {
  return FORMATS.flatMap(({ signature }) => signature?.(headers) ?? []);
}

/** Start of the reason for rejecting a body in an unknown format. */
export const UNKNOWN_FORMAT = 'unknown format';

/** Returns the reason for rejecting a body in an unknown format, with its field names. */
export function unknownFormat({ keys }: Payload): string {
  const shown = keys.slice(0, MAX_KEYS).map((key) => key.slice(0, MAX_KEY).toWellFormed());
  const more = keys.length > shown.length ? `, … (${keys.length})` : '';
  return `${UNKNOWN_FORMAT}: keys ${shown.join(', ') || 'none'}${more}`;
}
