import { ApiError, parseJsonObject } from '@tieline/platform/http';
import { parseIncoming } from '../../formats/formats.js';
import type { ReadingOptions } from '../../formats/formats.js';
import type { ParsedIncoming } from '../../formats/incoming-message.js';
import { Rejected } from '../../incoming-webhooks.errors.js';
import { isApprise } from '../../native/apprise.js';
import { UNKNOWN_FORMAT, unknownFormat } from '../../native/native-formats.js';
import { Payload } from '../../native/payload.js';
import { readPlainText } from '../../native/read-native.js';
import { formFields, textOf } from './decoded-body.js';

/** How a body is to be read where it is no JSON. */
type BodyFormat = 'json' | 'form' | 'multipart' | 'text' | 'other';

/** A body that was decompressed, and its `Content-Type`. */
export interface TypedBody {
  bytes: Buffer;
  contentType: string | undefined;
}

const FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ['', 'json'],
  ['application/json', 'json'],
  ['application/x-www-form-urlencoded', 'form'],
  ['multipart/form-data', 'multipart'],
  ['text/plain', 'text'],
]);

/**
 * The message in a body (docs/incoming-webhooks.md#request-bodies). JSON is read under any content
 * type. Else `text/plain` is literal, and a form is its field `payload`, which is JSON, or the form of
 * Apprise.
 *
 * @throws Rejected 400 for what is none of these, or has NUL characters in it
 */
export async function messageOf(
  { bytes, contentType }: TypedBody,
  options: ReadingOptions,
): Promise<ParsedIncoming> {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const format = FORMATS.get(type) ?? 'other';
  const text = textOf(bytes, contentType);
  if (format === 'json') return parseIncoming(parse(text), options);
  const json = objectIn(text);
  if (format === 'text') return ofPlainText(text, json, options);
  if (json !== undefined) return parseIncoming(json, options);
  if (format === 'multipart') return ofForm(await partsOf(bytes, contentType ?? ''), options);
  if (format === 'form') return ofForm(formFields(bytes, contentType), options);
  throw new Rejected(400, 'the body is no JSON object, and its content type neither a form nor text/plain');
}

/** JSON in a format that nobody knows is a text like any other. */
function ofPlainText(
  text: string,
  json: Record<string, unknown> | undefined,
  options: ReadingOptions,
): ParsedIncoming {
  const parsed = json === undefined ? undefined : parseIncoming(json, options);
  const isKnown = parsed && (parsed.ok || !parsed.reason.startsWith(UNKNOWN_FORMAT));
  return isKnown ? parsed : readPlainText(withoutNul(text));
}

function ofForm(form: Fields, options: ReadingOptions): ParsedIncoming {
  const payload = form.get('payload');
  return parseIncoming(payload === null ? appriseOf(form) : parse(payload), options);
}

/** The fields of a form, by their names. */
interface Fields extends Iterable<[string, string]> {
  get(name: string): string | null;
}

/** The fields of a multipart form; those of files by their content. */
async function partsOf(bytes: Buffer, contentType: string): Promise<Fields> {
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } });
  const parts = await response.formData().catch(() => {
    throw new Rejected(400, 'the body is no multipart form');
  });
  const fields = [...parts].map(async ([name, value]): Promise<[string, string]> => [
    name,
    typeof value === 'string' ? value : await value.text(),
  ]);
  return new URLSearchParams(await Promise.all(fields));
}

function withoutNul(text: string): string {
  if (text.includes('\0')) throw new Rejected(400, 'text must not contain NUL characters');
  return text;
}

function appriseOf(form: Fields): Record<string, string> {
  const fields = Object.fromEntries([...form].map(([name, value]) => [name, withoutNul(value)]));
  if (!isApprise(fields))
    throw new Rejected(400, `the form has no field payload: ${unknownFormat(new Payload(fields))}`);
  return fields;
}

/** The JSON object of a text, or undefined where it holds none. */
function objectIn(text: string): Record<string, unknown> | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON object, also as the only item of a list. */
function parse(text: string): Record<string, unknown> {
  const [, only] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? [];
  try {
    return parseJsonObject(only ?? text);
  } catch (error) {
    throw error instanceof ApiError ? new Rejected(400, error.text) : error;
  }
}
