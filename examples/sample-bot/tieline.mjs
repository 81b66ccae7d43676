/** Calls to Tieline, as the bot. API is the address up to and with /api/v1. */
const { API, BOT_TOKEN } = process.env;

/** A call that came to nothing, with the `status` of the answer if there was one. `mayWorkLater`: nobody answered, or Tieline asked for patience. */
export class CallFailed extends Error {
  constructor(reason, status) {
    super(reason);
    this.status = status;
    this.mayWorkLater = status === undefined || status === 429 || status >= 500;
  }
}

/** @returns the parsed answer. Throws CallFailed. */
export async function call(method, path, body, headers = {}) {
  const request = {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${BOT_TOKEN}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  };
  try {
    const response = await fetch(`${API}${path}`, request);
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw new CallFailed(`${method} ${path} was answered with ${response.status}: ${text}`, response.status);
  } catch (error) {
    if (error instanceof CallFailed) throw error;
    throw new CallFailed(`${method} ${path}: ${error.cause ?? error}`);
  }
}

/** Answers a slash command, once. The same key again after a lost answer posts no second message. */
export function answerByTrigger(triggerId, message) {
  return call('POST', '/bot/messages', message, {
    'x-service-trigger-id': triggerId,
    'idempotency-key': triggerId,
  });
}

/**
 * Answers a click, a form or a command by its token: up to five times within half an hour, in every mode. With a key a repeat
 * after a lost answer does nothing again.
 */
export function answerLate(token, answer, key) {
  return call('POST', `/bot/responses/${token}`, answer, key && { 'idempotency-key': key });
}
