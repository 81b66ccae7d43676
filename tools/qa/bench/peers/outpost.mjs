import { randomUUID } from 'node:crypto';
import { json } from '../../calls.mjs';

/** The topic must be among those of the server (`TOPICS`). */
const TOPIC = 'message.created';

/**
 * Creates a tenant with one webhook destination on a running Outpost server.
 *
 * @param {string} url of the server @param {string} receiver
 * @param {NodeJS.ProcessEnv} env `OUTPOST_API_KEY`: the server's `API_KEY`
 * @returns {Promise<import('./peers.mjs').Peer>}
 */
export async function connectOutpost(url, receiver, env) {
  const key = env.OUTPOST_API_KEY ?? '';
  const tenant = `bench-${randomUUID()}`;
  await json(url, 'PUT', `/api/v1/tenants/${tenant}`, key);
  await json(url, 'POST', `/api/v1/tenants/${tenant}/destinations`, key, {
    type: 'webhook',
    topics: ['*'],
    config: { url: receiver },
  });
  return {
    origin: url,
    request: (text) => ({
      path: '/api/v1/publish',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tenant_id: tenant, topic: TOPIC, eligible_for_retry: true, data: { text } }),
    }),
  };
}
