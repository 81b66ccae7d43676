import { isBlankText } from '@tieline/platform/http';
import { withoutUndefined } from '../formats/fields.js';
import { literalText, NOTHING_TO_SHOW } from '../formats/incoming-message.js';
import type { ParsedIncoming } from '../formats/incoming-message.js';
import { fitToLimit } from '../formats/rich-size.js';
import type { Severity } from '../formats/severity.js';
import { nativeKeys } from './keys/keys-of-format.js';
import type { NativeKeys } from './keys/native-keys.js';
import type { NativeFormat, NativeHints } from './native-format.js';
import { nativeFormatOf, unknownFormat } from './native-formats.js';
import { Payload } from './payload.js';
import { renderImages, renderNative } from './render-native.js';

/** Reads a body in a native format. Rejects unknown formats. */
export function readNative(body: unknown, hints: NativeHints): ParsedIncoming {
  const payload = new Payload(body);
  const format = nativeFormatOf(payload, hints);
  return format ? render(format, payload, hints) : { ok: false, reason: unknownFormat(payload) };
}

/** Reads a `text/plain` body as literal text. */
export function readPlainText(text: string): ParsedIncoming {
  return isBlankText(text) ? NOTHING_TO_SHOW : literal(text, 'warning');
}

function render(format: NativeFormat, payload: Payload, hints: NativeHints): ParsedIncoming {
  const message = format.read(payload, hints);
  const { text, buttons } = renderNative(message);
  const attachments = renderImages(message);
  const rich = { ...(buttons.length > 0 && { buttons }), ...(attachments.length > 0 && { attachments }) };
  const parsed = literal(text || format.name, message.severity, rich);
  return withKeys(parsed, nativeKeys(format, payload), hints.groupAlerts ?? false);
}

/**
 * Adds the keys. `resolved` is set even without grouping, because the query string may contain a
 * key.
 */
function withKeys(
  parsed: ParsedIncoming,
  { resolved, ...keys }: NativeKeys,
  isGrouped: boolean,
): ParsedIncoming {
  if (!parsed.ok) return parsed;
  return {
    ...parsed,
    message: { ...parsed.message, ...(isGrouped && keys), ...withoutUndefined({ resolved }) },
  };
}

/**
 * Escapes a text that its sender did not write as markup. It mentions no one, because an alert may
 * quote anything.
 */
function literal(whole: string, severity: Severity, rich: object = {}): ParsedIncoming {
  const notes: string[] = [];
  const text = literalText(whole, notes);
  const metadata = fitToLimit(withoutUndefined({ ...rich, severity }), (what) =>
    notes.push(`metadata: ${what}`),
  );
  const noMentions = { mentions: [], mentionsChannel: false, mentionsHere: false };
  return { ok: true, message: { text, metadata, severity, ...noMentions, notes } };
}
