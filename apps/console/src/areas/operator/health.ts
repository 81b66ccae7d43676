/** A service and its state. */
interface Part {
  name: string;
  state: 'ok' | 'degraded' | 'down';
}

/** Health of a process. */
interface Health {
  state: Part['state'];
  parts: Part[];
}

/**
 * Parses the response of `/health/ready`, including 503. Returns undefined for anything else, such
 * as the page of a proxy.
 */
export function readHealth(isOk: boolean, body: unknown): Health | undefined {
  const details = (body as { details?: Record<string, { status?: string }> } | undefined)?.details;
  if (typeof details !== 'object') return undefined;
  const parts = Object.entries(details).map(([name, { status }]): Part => {
    if (status === 'up' || status === 'ok') return { name, state: 'ok' };
    return { name, state: status === 'degraded' ? 'degraded' : 'down' };
  });
  const isDegraded = parts.some(({ state }) => state !== 'ok');
  return { state: !isOk ? 'down' : isDegraded ? 'degraded' : 'ok', parts };
}
