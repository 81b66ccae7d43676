/** Which requests may be sent twice. */

/**
 * The writes that take an `Idempotency-Key`. A test holds this list against the OpenAPI document.
 */
export const KEYED = [
  'POST /api/v1/bot/messages',
  'POST /api/v1/bot/messages/ephemeral',
  'POST /api/v1/bot/agent_runs',
  'POST /api/v1/bot/execution_tasks',
  'PATCH /api/v1/bot/execution_tasks/{}',
  'POST /api/v1/bot/responses/{}',
  'POST /api/v1/client/conversations/{}/messages',
  'POST /api/v1/webhooks/incoming/{}',
  'POST /api/v1/webhooks/hooks/{}',
  'POST /hooks/{}',
  'POST /hooks/{}/{}',
  'POST /services/{}/{}/{}',
] as const;

const PATTERNS = KEYED.map((each) => new RegExp(`^${each.replaceAll('{}', '[^/]+')}$`));

/**
 * Whether this write takes an `Idempotency-Key`.
 * @param path below the address of the server, without a query
 */
export function takesKey(method: string, path: string): boolean {
  return PATTERNS.some((each) => each.test(`${method} ${path}`));
}

/**
 * Whether a second try does no harm by the method alone: reads, and what sets a state (PUT, PATCH
 * and DELETE of this API). A repeated DELETE whose first answer was lost may be told that the thing
 * is gone.
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
