import { RejectedRequest } from '../incoming-webhooks.errors.js';

/** Maximum length of a key, in characters. */
const MAX_KEY = 128;

/** Keys in the query string. They take precedence over keys in the body. */
export interface QueryKeys {
  threadKey?: string;
  dedupKey?: string;
}

/**
 * Reads the keys from the query string. An empty key counts as absent.
 * @throws RejectedRequest 400 for a key that is too long, repeated or contains a NUL character
 */
export function queryKeys(target: string): QueryKeys {
  const at = target.indexOf('?');
  if (at < 0) return {};
  const query = new URLSearchParams(target.slice(at + 1));
  const [threadKey, dedupKey] = [keyIn(query, 'thread_key'), keyIn(query, 'dedup_key')];
  return { ...(threadKey !== undefined && { threadKey }), ...(dedupKey !== undefined && { dedupKey }) };
}

function keyIn(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  const [key = ''] = values;
  if (values.length > 1 || [...key].length > MAX_KEY || key.includes('\0'))
    throw new RejectedRequest(400, `query parameter ${name}: must be one text of 1 to ${MAX_KEY} characters`);
  return key === '' ? undefined : key;
}
