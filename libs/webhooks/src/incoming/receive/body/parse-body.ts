import { ApiError, parseJsonObject } from '@tieline/platform/http';
import { readMessage } from '../../read-message.js';
import type { ReadingOptions } from '../../read-message.js';
import type { ParsedIncoming } from '../../message/incoming-message.js';
import { RejectedRequest } from '../../incoming-webhooks.errors.js';
import { isApprise } from '../../native/apprise/format.js';
import { UNKNOWN_FORMAT, unknownFormat } from '../../native/registry.js';
import { Payload } from '../../message/payload.js';
import { readPlainText } from '../../native/read-native.js';
import { decodeText, parseFormFields } from './decode-body.js';

/** How to read a body that is not JSON. */
type BodyFormat = 'json' | 'form' | 'multipart' | 'text' | 'other';

/** A decompressed body and its `Content-Type`. */
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
 * Reads the message in a body. JSON is accepted under any content type. Otherwise, `text/plain` is
 * literal text, and a form contains JSON in its field `payload` or is the form of Apprise.
 * @throws RejectedRequest 400 for anything else, and for NUL characters
 */
export async function parseBody(
  { bytes, contentType }: TypedBody,
  options: ReadingOptions,
): Promise<ParsedIncoming> {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const format = FORMATS.get(type) ?? 'other';
  const text = decodeText(bytes, contentType);
  if (format === 'json') return readMessage(parseJson(text), options);
  const json = findJsonObject(text);
  if (format === 'text') return parsePlainText(text, json, options);
  if (json !== undefined) return readMessage(json, options);
  if (format === 'multipart') return parseForm(await readMultipart(bytes, contentType ?? ''), options);
  if (format === 'form') return parseForm(parseFormFields(bytes, contentType), options);
  throw new RejectedRequest(
    400,
    'the body is not a JSON object, and its content type is neither a form nor text/plain',
  );
}

/** Treats JSON in an unknown format as literal text. */
function parsePlainText(
  text: string,
  json: Record<string, unknown> | undefined,
  options: ReadingOptions,
): ParsedIncoming {
  const parsed = json === undefined ? undefined : readMessage(json, options);
  const isKnown = parsed && (parsed.ok || !parsed.reason.startsWith(UNKNOWN_FORMAT));
  return isKnown ? parsed : readPlainText(rejectNul(text));
}

function parseForm(form: Fields, options: ReadingOptions): ParsedIncoming {
  const payload = form.get('payload');
  return readMessage(payload === null ? readAppriseForm(form) : parseJson(payload), options);
}

/** The fields of a form. */
interface Fields extends Iterable<[string, string]> {
  get(name: string): string | null;
}

/** Reads the fields of a multipart form. The value of a file is its content. */
async function readMultipart(bytes: Buffer, contentType: string): Promise<Fields> {
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } });
  const parts = await response.formData().catch(() => {
    throw new RejectedRequest(400, 'the body is not a multipart form');
  });
  const fields = [...parts].map(async ([name, value]): Promise<[string, string]> => [
    name,
    typeof value === 'string' ? value : await value.text(),
  ]);
  return new URLSearchParams(await Promise.all(fields));
}

function rejectNul(text: string): string {
  if (text.includes('\0')) throw new RejectedRequest(400, 'text must not contain NUL characters');
  return text;
}

function readAppriseForm(form: Fields): Record<string, string> {
  const fields = Object.fromEntries([...form].map(([name, value]) => [name, rejectNul(value)]));
  const body = new Payload(fields);
  if (!isApprise(body))
    throw new RejectedRequest(400, `the form has no field payload: ${unknownFormat(body)}`);
  return fields;
}

/** Returns the JSON object in a text, or undefined if there is none. */
function findJsonObject(text: string): Record<string, unknown> | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object, which may be the only item of a list. */
function parseJson(text: string): Record<string, unknown> {
  const [, only] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? [];
  try {
    return parseJsonObject(only ?? text);
  } catch (error) {
    throw error instanceof ApiError ? new RejectedRequest(400, error.text) : error;
  }
}
