import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { eventually } from '../eventually.js';
import { failing, startReceiver } from './receiver.js';
import type { Receiver } from './receiver.js';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await receiver.close();
});

function post(body: string, path = ''): Promise<Response> {
  return fetch(receiver.url + path, { method: 'POST', body, signal: AbortSignal.timeout(60_000) });
}

describe('startReceiver', () => {
  it('records the raw bytes, headers and address of each request', async () => {
    const begun = Date.now();
    const response = await post('{"a": "ü"}', '/hook?x=1');
    expect(response.status).toBe(200);
    const [request] = await receiver.waitFor(1);
    expect(request).toMatchObject({ method: 'POST', url: '/hook?x=1' });
    expect(request?.body).toEqual(Buffer.from('{"a": "ü"}'));
    expect(request?.headers['content-length']).toBe('11');
    expect(request?.at).toBeGreaterThanOrEqual(begun);
    expect(request?.at).toBeLessThanOrEqual(Date.now());
  });

  it('waits for a matching request, and reports what it got if there is none', async () => {
    const wanted = receiver.waitFor((request) => request.url === '/second');
    await post('', '/first');
    await post('', '/second');
    expect((await wanted).url).toBe('/second');
    await expect(receiver.waitFor(3, 50)).rejects.toThrow('waited 50 ms for 3 requests, got 2 requests');
  });

  it('does not record requests for another receiver', async () => {
    const other = new URL(receiver.url);
    for (const path of ['/', '/hook', `${other.pathname}x`]) {
      other.pathname = path;
      expect((await fetch(other)).status).toBe(404);
    }
    expect(receiver.requests).toEqual([]);
  });

  it('refuses a request with a repeated header and does not record it', async () => {
    const { hostname, port, pathname } = new URL(receiver.url);
    const headers = ['Host', hostname, 'User-Agent', 'a', 'user-agent', 'b'];
    const sent = request({ hostname, port, path: pathname, method: 'POST', headers });
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(400);
    expect(receiver.requests).toEqual([]);
  });

  it('responds as configured: status, JSON body, headers, initial failures', async () => {
    receiver.respond({ status: 429, headers: { 'retry-after': '7' }, body: { ok: false } });
    const response = await post('');
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      429,
      '7',
      { ok: false },
    ]);
    receiver.respond(failing(2, 503));
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) statuses.push((await post('')).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('hangs, drips and resets', async () => {
    receiver.respond('hang');
    await expect(fetch(receiver.url, { signal: AbortSignal.timeout(500) })).rejects.toThrow();
    await receiver.waitFor(1);
    receiver.respond({ drip: { everyMs: 5 } });
    const reading = new AbortController();
    const dripping = await fetch(receiver.url, { signal: reading.signal });
    expect(dripping.status).toBe(200);
    const body = dripping.text();
    setTimeout(() => reading.abort(), 100);
    await expect(body).rejects.toThrow();
    receiver.respond('reset');
    await expect(fetch(receiver.url)).rejects.toThrow('fetch failed');
    await eventually(() => receiver.inFlight === 0);
    expect(receiver.requests).toHaveLength(3);
  });
});
