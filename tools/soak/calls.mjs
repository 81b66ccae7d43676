// Calls of senders, who know what a lost answer means.
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const PAUSE_MS = 250;

/** Sends a request. Status 0 means no response, so its outcome is unknown. */
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
 * Calls until there is an answer that is no 5xx and no 429: for what bears repetition. @param {()
 * => string} url
 */
export async function insist(url, ...rest) {
  for (;;) {
    const answer = await call(url(), ...rest);
    if (answer.status >= 200 && answer.status < 500 && answer.status !== 429) return answer;
    await sleep(PAUSE_MS);
  }
}

/** The body of a call that has to succeed. */
export async function expectOk(answer) {
  const { status, body } = await answer;
  if (status >= 200 && status < 300) return body;
  throw new Error(`unexpected answer ${status}: ${JSON.stringify(body)}`);
}
