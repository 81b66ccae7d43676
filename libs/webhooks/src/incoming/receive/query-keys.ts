import { Rejected } from '../incoming-webhooks.errors.js';

/** Longest key, in characters. */
const MAX_KEY = 128;

/** Keys that a sender put into the address; they win over those of the body. */
export interface QueryKeys {
  threadKey?: string;
  dedupKey?: string;
}

/**
 * The keys in the query of an address (docs/incoming-webhooks.md#threads-and-deduplication). An
 * empty one counts as absent.
 * @throws Rejected 400 for a key that is too long, holds a NUL character or comes twice
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
    throw new Rejected(400, `query parameter ${name}: must be one text of 1 to ${MAX_KEY} characters`);
  return key === '' ? undefined : key;
}
