/** Which requests may be sent twice. */

const ID = '[^/]+';

/** The writes that take an `Idempotency-Key`. A test holds this list against the OpenAPI document. */
const KEYED = [
  ['POST', '/bot/messages'],
  ['POST', '/bot/messages/ephemeral'],
  ['POST', '/bot/agent_runs'],
  ['POST', '/bot/execution_tasks'],
  ['PATCH', `/bot/execution_tasks/${ID}`],
  ['POST', `/bot/responses/${ID}`],
  ['POST', `/webhooks/incoming/${ID}`],
].map(([method, path]) => ({ method, path: new RegExp(`/api/v1${path}$`) }));

/** Whether this write takes an `Idempotency-Key`; `path` may follow a prefix and has no query. */
export function takesKey(method: string, path: string): boolean {
  return KEYED.some((each) => each.method === method && each.path.test(path));
}

/**
 * Whether a second try does no harm by the method alone: reads, and what sets a state (PUT, PATCH and DELETE of this API).
 * A repeated DELETE whose first answer was lost may be told that the thing is gone.
 */
export function isRepeatable(method: string): boolean {
  return method !== 'POST';
}

/** A fresh key. Not `randomUUID`, which browsers offer on secure pages only. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
