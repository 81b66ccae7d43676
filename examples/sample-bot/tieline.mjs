/** Calls to Tieline, as the bot. API is the address up to and with /api/v1. */
const { API, BOT_TOKEN } = process.env;

/** A call that came to nothing. `mayWorkLater`: nobody answered, or Tieline asked for patience. */
export class CallFailed extends Error {
  constructor(reason, mayWorkLater) {
    super(reason);
    this.mayWorkLater = mayWorkLater;
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
    throw new CallFailed(
      `${method} ${path} was answered with ${response.status}: ${text}`,
      response.status === 429 || response.status >= 500,
    );
  } catch (error) {
    if (error instanceof CallFailed) throw error;
    throw new CallFailed(`${method} ${path}: ${error.cause ?? error}`, true);
  }
}

/** Answers a slash command, once. The same key again after a lost answer posts no second message. */
export function answerByTrigger(triggerId, message) {
  return call('POST', '/bot/messages', message, {
    'x-service-trigger-id': triggerId,
    'idempotency-key': triggerId,
  });
}
