import { randomUUID } from 'node:crypto';
import { json } from '../../calls.mjs';

/**
 * Creates an application with one endpoint on a running Svix server.
 *
 * @param {string} url of the server @param {string} receiver
 * @param {NodeJS.ProcessEnv} env `SVIX_TOKEN`: what `svix-server jwt generate` prints
 * @returns {Promise<import('./peers.mjs').Peer>}
 */
export async function connectSvix(url, receiver, env) {
  const token = env.SVIX_TOKEN ?? '';
  const uid = `bench-${randomUUID()}`;
  await json(url, 'POST', '/api/v1/app/', token, { name: uid, uid });
  await json(url, 'POST', `/api/v1/app/${uid}/endpoint/`, token, { url: receiver, version: 1 });
  return {
    origin: url,
    request: (text) => ({
      path: `/api/v1/app/${uid}/msg/?with_content=false`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ eventType: 'message.created', payload: { text } }),
    }),
  };
}
