/** One part of a process and how it is. */
export interface Part {
  name: string;
  state: 'ok' | 'degraded' | 'down';
}

/** How a process is. */
export interface Health {
  state: Part['state'];
  parts: Part[];
}

/**
 * Reads the answer of `/health/ready`, also that of 503; undefined when it is something else, such
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
