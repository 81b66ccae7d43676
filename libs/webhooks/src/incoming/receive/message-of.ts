import { ApiError, parseJsonObject } from '@tieline/platform/http';
import { parseIncoming } from '../formats/formats.js';
import type { ReadingOptions } from '../formats/formats.js';
import type { ParsedIncoming } from '../formats/incoming-message.js';
import { Rejected } from '../incoming-webhooks.errors.js';
import { isApprise } from '../native/apprise.js';
import { unknownFormat } from '../native/native-formats.js';
import { Payload } from '../native/payload.js';
import { readPlainText } from '../native/read-native.js';

/** How a body is to be read. */
export type BodyFormat = 'json' | 'form' | 'text';

/**
 * How a body of that content type is read (decisions, section 9): no type is JSON.
 * @throws Rejected 400 for any other type
 */
export function formatOf(contentType: string | undefined): BodyFormat {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === '' || type === 'application/json') return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'text/plain') return 'text';
  throw new Rejected(
    400,
    'content type is neither application/json, application/x-www-form-urlencoded nor text/plain',
  );
}

/**
 * The message in a body. `text/plain` is taken literally (section 11.2); a form is its field `payload`, which is JSON, or the form of Apprise; one that
 * is plain JSON (`curl -d '{…}'`) is read as such.
 *
 * @throws Rejected 400 for what is no JSON object, or has NUL characters in it
 */
export function messageOf(format: BodyFormat, body: Buffer, options: ReadingOptions): ParsedIncoming {
  const text = body.toString('utf8');
  if (format === 'text') return readPlainText(withoutNul(text));
  if (format === 'json' || text.trimStart().startsWith('{')) return parseIncoming(parse(text), options);
  const form = new URLSearchParams(text);
  const payload = form.get('payload');
  return parseIncoming(payload === null ? appriseOf(form) : parse(payload), options);
}

function withoutNul(text: string): string {
  if (text.includes('\0')) throw new Rejected(400, 'text must not contain NUL characters');
  return text.replace(/^\uFEFF/, '');
}

function appriseOf(form: URLSearchParams): Record<string, string> {
  const fields = Object.fromEntries([...form].map(([name, value]) => [name, withoutNul(value)]));
  if (!isApprise(fields))
    throw new Rejected(400, `the form has no field payload: ${unknownFormat(new Payload(fields))}`);
  return fields;
}

function parse(text: string): Record<string, unknown> {
  try {
    return parseJsonObject(text);
  } catch (error) {
    throw error instanceof ApiError ? new Rejected(400, error.text) : error;
  }
}
