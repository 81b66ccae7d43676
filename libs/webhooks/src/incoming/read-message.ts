import type { Dialect } from '@tieline/markup';
import { FieldReader, WrongField } from './formats/fields.js';
import { readBlockKit, readFlat } from './formats/formats.js';
import { withParsedLists, withTopLevelAttachment } from './formats/normalize-body.js';
import { isVisible, NOTHING_TO_SHOW } from './message/incoming-message.js';
import type { IncomingMessage, ParsedIncoming } from './message/incoming-message.js';
import { Payload } from './message/payload.js';
import { isApprise } from './native/apprise/format.js';
import type { NativeHints } from './native/parts/native-format.js';
import { readNative } from './native/read-native.js';
import { nativeFormatOf } from './native/registry.js';
import { isTeamsCard } from './native/teams/format.js';

/** Information about a message besides its body. */
export interface ReadingOptions extends NativeHints {
  /** Keys from the query string. They take precedence over keys in the body. */
  keys?: { threadKey?: string; dedupKey?: string };
  /** Markup dialect of the sender. Defaults to Slack's. */
  dialect?: Dialect;
}

/**
 * Reads the body of an incoming webhook: the block-kit format, the flat format, or the native
 * format of a known program. A body that fits both block-kit and flat is read as block-kit. Never
 * throws. `reason` is for the request log only.
 */
export function readMessage(body: unknown, options: ReadingOptions = {}): ParsedIncoming {
  try {
    return readNormalized(normalized(body), options);
  } catch (error) {
    if (error instanceof WrongField) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Undoes deviations from the block-kit format. Does not move the fields of native formats. */
function normalized(body: unknown): unknown {
  const whole = withParsedLists(body);
  const payload = new Payload(whole);
  return payload.has('text') || !nativeFormatOf(payload) ? withTopLevelAttachment(whole) : whole;
}

function readNormalized(body: unknown, options: ReadingOptions): ParsedIncoming {
  const fields = FieldReader.of(body, '', []);
  const { payload } = fields;
  // Teams cards have fields of the block-kit format.
  const documented = isTeamsCard(payload) ? undefined : readDocumented(fields, options);
  if (!documented) return readNative(payload, options);
  const message = { ...documented, ...options.keys };
  return isVisible(message) || endsAlert(message) ? { ok: true, message } : NOTHING_TO_SHOW;
}

/** Reads a message in block-kit or flat style. Returns undefined if the body has neither. */
function readDocumented(body: FieldReader, options: ReadingOptions): IncomingMessage | undefined {
  if (isBlockKit(body, options)) return readBlockKit(body, options);
  const message = typeof body.value('message') === 'object' ? body.object('message') : undefined;
  const isFlat =
    message && (message.has('content') || message.has('entity_type') || isBareResolve(message, options));
  return isFlat ? readFlat(body, message) : undefined;
}

/** Apprise also sends `attachments`, a list of files. */
function isBlockKit(body: FieldReader, options: ReadingOptions): boolean {
  if (body.has('text') || body.has('blocks')) return true;
  if (isBareResolve(body, options) && !body.has('message')) return true;
  return body.has('attachments') && !isApprise(body.payload);
}

/** Whether the body contains only a key and `resolved: true`. */
function isBareResolve(body: FieldReader, { keys }: ReadingOptions): boolean {
  return (body.has('dedup_key') || keys?.dedupKey !== undefined) && body.value('resolved') === true;
}

/**
 * Whether the message only resolves an alert. It needs no text, because the alert's message has
 * one.
 */
function endsAlert({ dedupKey, resolved }: IncomingMessage): boolean {
  return dedupKey !== undefined && resolved === true;
}
