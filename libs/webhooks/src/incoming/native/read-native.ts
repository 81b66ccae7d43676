import { isBlankText } from '@tieline/platform/http';
import { httpsAddress } from '../message/https-address.js';
import { literalText, NOTHING_TO_SHOW } from '../message/incoming-message.js';
import type { LinkButton, ParsedIncoming } from '../message/incoming-message.js';
import type { Payload } from '../message/payload.js';
import { fitToLimit } from '../message/rich-size.js';
import type { Severity } from '../message/severity.js';
import type { NativeFormat, NativeHints, NativeLink, NativeMessage } from './parts/native-format.js';
import type { NativeKeys } from './parts/native-keys.js';
import { nativeFormatOf, unknownFormat } from './registry.js';

const MAX_BUTTONS = 25;
const MAX_IMAGES = 10;

/** Reads a body in a native format. Rejects unknown formats. */
export function readNative(body: Payload, hints: NativeHints): ParsedIncoming {
  const format = nativeFormatOf(body, hints);
  return format ? readAs(format, body, hints) : { ok: false, reason: unknownFormat(body) };
}

/** Reads a `text/plain` body as literal text. */
export function readPlainText(text: string): ParsedIncoming {
  return isBlankText(text) ? NOTHING_TO_SHOW : literal(text, 'warning');
}

function readAs(format: NativeFormat, body: Payload, hints: NativeHints): ParsedIncoming {
  const message = format.read(body, hints);
  const [buttons, attachments] = [buttonsOf(message), imagesOf(message)];
  const rich = { ...(buttons.length > 0 && { buttons }), ...(attachments.length > 0 && { attachments }) };
  const parsed = literal(textOf(message) || format.name, message.severity, rich);
  return withKeys(parsed, format.keys?.(body) ?? {}, hints.groupAlerts ?? false);
}

/** Joins the lines. HTTP addresses stay in the text, where people see them. */
function textOf({ lines, links }: NativeMessage): string {
  const addresses = links.filter(isHttp).map(({ label, url }) => `${label}: ${url}`);
  return [...lines, ...new Set(addresses)].filter((line) => line !== '').join('\n');
}

function buttonsOf({ links }: NativeMessage): LinkButton[] {
  const labels = new Map<string, string>();
  for (const { label, url } of links) {
    const address = httpsAddress(url);
    if (address !== undefined && !labels.has(address)) labels.set(address, label);
  }
  return [...labels].slice(0, MAX_BUTTONS).map(([url, text]) => ({ text, url }));
}

function isHttp({ url }: NativeLink): boolean {
  return /^http:\/\/\S+$/i.test(url) && URL.canParse(url);
}

/** Converts images to attachments. */
function imagesOf({ images = [] }: NativeMessage): object[] {
  return images
    .flatMap(({ url, alt }) => {
      const address = httpsAddress(url);
      return address === undefined ? [] : [{ image_url: address, ...(alt !== '' && { fallback: alt }) }];
    })
    .slice(0, MAX_IMAGES);
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
    message: { ...parsed.message, ...(isGrouped && keys), ...(resolved !== undefined && { resolved }) },
  };
}

/**
 * Escapes a text that its sender did not write as markup. It mentions no one, because an alert may
 * quote anything.
 */
function literal(whole: string, severity: Severity, rich: object = {}): ParsedIncoming {
  const notes: string[] = [];
  const text = literalText(whole, notes);
  const metadata = fitToLimit({ ...rich, severity }, (what) => notes.push(`metadata: ${what}`));
  const noMentions = { mentions: [], mentionsChannel: false, mentionsHere: false };
  return { ok: true, message: { text, metadata, severity, ...noMentions, notes } };
}
