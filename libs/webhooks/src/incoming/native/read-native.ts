import { isBlankText } from '@tieline/platform/http';
import { present } from '../formats/fields.js';
import { literalText, NOTHING_TO_SHOW } from '../formats/incoming-message.js';
import type { ParsedIncoming } from '../formats/incoming-message.js';
import { fitting } from '../formats/rich-size.js';
import type { Severity } from '../formats/severity.js';
import { nativeKeys } from './keys/keys-of-format.js';
import type { NativeKeys } from './keys/native-keys.js';
import type { NativeFormat, NativeHints } from './native-format.js';
import { nativeFormatOf, unknownFormat } from './native-formats.js';
import { Payload } from './payload.js';
import { shownImages, shownNative } from './shown-native.js';

/** A body in a program's own format (decisions, section 11.2); refused when nobody knows it. */
export function readNative(body: unknown, hints: NativeHints): ParsedIncoming {
  const payload = new Payload(body);
  const format = nativeFormatOf(payload, hints);
  return format ? shown(format, payload, hints) : { ok: false, reason: unknownFormat(payload) };
}

/** A body of `text/plain`, taken literally. */
export function readPlainText(text: string): ParsedIncoming {
  return isBlankText(text) ? NOTHING_TO_SHOW : literal(text, 'warning');
}

function shown(format: NativeFormat, payload: Payload, hints: NativeHints): ParsedIncoming {
  const message = format.read(payload, hints);
  const { text, buttons } = shownNative(message);
  const attachments = shownImages(message);
  const rich = { ...(buttons.length > 0 && { buttons }), ...(attachments.length > 0 && { attachments }) };
  const parsed = literal(text || format.name, message.severity, rich);
  return withKeys(parsed, nativeKeys(format, payload), hints.groupAlerts ?? false);
}

/** Whether an alert is over is of use without its keys too: the address may hold one. */
function withKeys(
  parsed: ParsedIncoming,
  { resolved, ...keys }: NativeKeys,
  isGrouped: boolean,
): ParsedIncoming {
  if (!parsed.ok) return parsed;
  return { ...parsed, message: { ...parsed.message, ...(isGrouped && keys), ...present({ resolved }) } };
}

/**
 * Text that isn't markup for its sender: it is escaped and mentions nobody, because an alert may
 * quote anything.
 */
function literal(whole: string, severity: Severity, rich: object = {}): ParsedIncoming {
  const notes: string[] = [];
  const text = literalText(whole, notes);
  const metadata = fitting(present({ ...rich, severity }), (what) => notes.push(`metadata: ${what}`));
  const nobody = { mentions: [], mentionsChannel: false, mentionsHere: false };
  return { ok: true, message: { text, metadata, severity, ...nobody, notes } };
}
