import { ApiError, parseJsonObject } from '@tieline/platform/http';
import { Rejected } from '../incoming-webhooks.errors.js';

/** How a body is to be read. */
export type BodyFormat = 'json' | 'form';

/**
 * How a body of that content type is read (decisions, section 9): no type is JSON.
 * @throws Rejected 400 for any other type
 */
export function formatOf(contentType: string | undefined): BodyFormat {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === '' || type === 'application/json') return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  throw new Rejected(400, 'content type is neither application/json nor application/x-www-form-urlencoded');
}

/**
 * The JSON object of a body: itself, or the field `payload` of a form. A form that is plain JSON (`curl -d '{…}'`) is read as such.
 * @throws Rejected 400
 */
export function payloadOf(format: BodyFormat, body: Buffer): Record<string, unknown> {
  const text = body.toString('utf8');
  if (format === 'json' || text.trimStart().startsWith('{')) return parse(text);
  const payload = new URLSearchParams(text).get('payload');
  if (payload === null) throw new Rejected(400, 'the form has no field payload');
  return parse(payload);
}

function parse(text: string): Record<string, unknown> {
  try {
    return parseJsonObject(text);
  } catch (error) {
    throw error instanceof ApiError ? new Rejected(400, error.text) : error;
  }
}
