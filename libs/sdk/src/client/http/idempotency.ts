/** Writes that accept an `Idempotency-Key`. A test compares this list with the OpenAPI document. */
export const KEYED = [
  'POST /api/v1/bot/messages',
  'POST /api/v1/bot/messages/ephemeral',
  'POST /api/v1/bot/scheduled_messages',
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
 * Whether this write accepts an `Idempotency-Key`.
 * @param path below the address of the server, without a query
 */
export function takesKey(method: string, path: string): boolean {
  return PATTERNS.some((each) => each.test(`${method} ${path}`));
}

/**
 * Whether the method alone makes a retry safe: reads, and PUT, PATCH and DELETE, which set a state
 * in this API. A retried DELETE may get 404 if its first response was lost.
 */
export function isRepeatable(method: string): boolean {
  return method !== 'POST';
}

/** Returns a random key. Does not use `randomUUID`, which browsers offer only on secure pages. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
