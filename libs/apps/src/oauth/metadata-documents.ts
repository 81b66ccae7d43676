import type { EgressClient } from '@tieline/egress';

const TIMEOUT_MS = 2500;

/**
 * Returns a `fetch` for Client ID Metadata Documents. A stranger chose the address, so it must be
 * public and HTTPS (docs/security.md#outgoing-requests).
 */
export function fetchThrough(egress: EgressClient): (url: string | URL | Request) => Promise<Response> {
  return async (url) => {
    const result = await egress.get({
      url: typeof url === 'string' || url instanceof URL ? String(url) : url.url,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      publicOnly: true,
    });
    if (result.kind !== 'response' || result.truncated || result.broken)
      throw new Error('client metadata could not be read');
    const headers = new Headers();
    for (const name of ['content-type', 'cache-control', 'expires']) {
      const value = result.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const hasBody = result.status === 200;
    return new Response(hasBody ? new Uint8Array(result.body) : null, { status: result.status, headers });
  };
}
