/** Requests to the api. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

const PATIENCE_MS = 20_000;
const PAUSE_MS = 250;

/**
 * Sends a request that must succeed.
 *
 * @param {string} url of an api @param {string} method @param {string} path @param {string} token
 * @param {object} [body]
 * @returns {Promise<any>} the response's body
 * @throws with the status and error of a refusal.
 */
export async function json(url, method, path, token, body) {
  const answer = await request(`${url}${path}`, {
    method: /** @type {import('undici').Dispatcher.HttpMethod} */ (method),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const given = /** @type {any} */ (await answer.body.json());
  if (answer.statusCode >= 300)
    throw new Error(`${path} was answered with ${answer.statusCode}: ${given.error}`);
  return given;
}

/**
 * Sends a request. Status 0 means no response, so its outcome is unknown.
 *
 * @param {string} url of an api @param {string} method @param {string} path
 * @param {{ token?: string, body?: object, key?: string }} more `key`: the idempotency key
 * @returns {Promise<{ status: number, body: any }>}
 */
export async function call(url, method, path, { token, body, key }) {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: 0, body: {} };
  }
}

/**
 * Repeats an idempotent request until its response is neither 5xx nor 429.
 *
 * @param {() => string} url
 * @param {[method: string, path: string, more: Parameters<typeof call>[3]]} rest
 */
export async function insist(url, ...rest) {
  for (;;) {
    const answer = await call(url(), ...rest);
    if (answer.status >= 200 && answer.status < 500 && answer.status !== 429) return answer;
    await sleep(PAUSE_MS);
  }
}
