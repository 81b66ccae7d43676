import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { eventually, startReceiver, type Receiver } from '../testing/index.js';
import { EgressClient, type EgressClientOptions, type EgressRequest } from './egress-client.js';
import { EgressPolicy } from './egress-policy.js';
import type { ResolveHost } from './resolve-host.js';
import { TEST_CA, TEST_SERVER_CERTIFICATE, TEST_SERVER_KEY } from './test-certificates.js';

const LOOPBACK = ['127.0.0.0/8'];
const closers: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface ClientSetup extends Partial<EgressClientOptions> {
  allowedCidrs?: string[];
  resolve?: ResolveHost;
}

function clientFor({ allowedCidrs = LOOPBACK, resolve, ...options }: ClientSetup = {}): EgressClient {
  const policy = new EgressPolicy({ allowHttp: true, allowedCidrs, resolve });
  const client = new EgressClient(policy, { version: '1.2.3', ...options });
  closers.push(() => client.close());
  return client;
}

async function receiver(handler?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(handler);
  closers.push(() => started.close());
  return started;
}

/** A server that speaks for itself over raw sockets. */
async function rawServer(onConnection: (socket: net.Socket) => void): Promise<{ port: number; connections: number }> {
  const sockets = new Set<net.Socket>();
  const state = { port: 0, connections: 0 };
  const server = net.createServer((socket) => {
    state.connections++;
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.port = (server.address() as net.AddressInfo).port;
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return state;
}

function request(url: string, overrides: Partial<EgressRequest> = {}): EgressRequest {
  return { url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}'), timeoutMs: 5000, ...overrides };
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const portOf = (url: string) => new URL(url).port;

describe('a request', () => {
  it('arrives with path, query, headers and the very bytes, and gives the response', async () => {
    const target = await receiver({ status: 201, headers: { 'Retry-After': '7', 'Set-Cookie': 'a=b' }, body: 'thanks' });
    const body = Buffer.from([0, 255, 10, 13, 0xd0, 0x9f]);
    const result = await clientFor().post(request(`${target.url}/hook/a%20b?x=1&y=%2F#fragment`, { body, headers: { 'X-Service-Event': 'E' } }));
    expect(result).toMatchObject({ kind: 'response', status: 201, truncated: false, headers: { 'retry-after': '7' } });
    expect(result.kind === 'response' && result.body.toString()).toBe('thanks');
    expect(Number.isInteger(result.durationMs)).toBe(true);
    const [received] = target.requests;
    expect(received).toMatchObject({ method: 'POST', url: '/hook/a%20b?x=1&y=%2F' });
    expect(received!.body).toEqual(body);
    expect(received!.headers).toMatchObject({ 'user-agent': 'Tieline/1.2.3', 'x-service-event': 'E', 'content-length': '6', host: new URL(target.url).host });
  });

  it.each([301, 302, 303, 307, 308])('is not led on by a %s', async (status) => {
    const elsewhere = await receiver();
    const target = await receiver({ status, headers: { location: `${elsewhere.url}/next` } });
    expect(await clientFor().post(request(target.url))).toMatchObject({ kind: 'response', status, headers: { location: `${elsewhere.url}/next` } });
    expect(elsewhere.requests).toHaveLength(0);
  });

  it('takes 4xx and 5xx as responses', async () => {
    const target = await receiver(503);
    expect(await clientFor().post(request(target.url))).toMatchObject({ kind: 'response', status: 503 });
  });

  it('waits past an interim response', async () => {
    const { port } = await rawServer((socket) => socket.once('data', () => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${OK}`)));
    expect(await clientFor().post(request(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'response', status: 200 });
  });
});

describe('the address', () => {
  it.each(['http://127.0.0.1:PORT/', 'http://[::ffff:127.0.0.1]:PORT/', 'http://2130706433:PORT/', 'http://localhost:PORT/', 'http://u:p@127.0.0.1:PORT/', 'ftp://127.0.0.1:PORT/', 'nonsense'])(
    'is refused without any connection: %s',
    async (pattern) => {
      const target = await rawServer((socket) => socket.destroy());
      const result = await clientFor({ allowedCidrs: [] }).post(request(pattern.replace('PORT', String(target.port))));
      expect(result).toEqual({ kind: 'refused', error: 'address not allowed', durationMs: expect.any(Number) });
      expect(target.connections).toBe(0);
    },
  );

  it('is judged again at the connection: a name that was public at registration', async () => {
    const target = await rawServer((socket) => socket.destroy());
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const resolve: ResolveHost = () => Promise.resolve(answers.shift()!);
    const policy = new EgressPolicy({ allowHttp: true, allowedCidrs: [], resolve });
    const client = new EgressClient(policy, { version: '1' });
    closers.push(() => client.close());
    const url = `http://rebound.example:${target.port}/`;
    expect(await policy.checkUrlResolved(url)).toMatchObject({ allowed: true });
    expect(await client.post(request(url))).toMatchObject({ kind: 'refused', error: 'address not allowed' });
    expect(target.connections).toBe(0);
    expect(answers).toHaveLength(0);
  });

  it('is refused when any of the answers is forbidden', async () => {
    const target = await rawServer((socket) => socket.destroy());
    const client = clientFor({ allowedCidrs: ['127.0.0.1/32'], resolve: () => Promise.resolve(['127.0.0.1', '10.0.0.1']) });
    expect(await client.post(request(`http://mixed.example:${target.port}/`))).toMatchObject({ kind: 'refused' });
    expect(target.connections).toBe(0);
  });

  it('is resolved once for each connection and pinned to it', async () => {
    const target = await receiver({ headers: { connection: 'close' } });
    const answers = ['127.0.0.1', '10.0.0.1'];
    const asked: string[] = [];
    const client = clientFor({
      allowedCidrs: ['127.0.0.1/32'],
      resolve: (hostname) => {
        asked.push(hostname);
        return Promise.resolve([answers.shift() ?? '10.0.0.1']);
      },
    });
    const url = `http://receiver.example:${portOf(target.url)}/`;
    expect(await client.post(request(url))).toMatchObject({ kind: 'response', status: 200 });
    expect(asked).toEqual(['receiver.example']);
    expect(await client.post(request(url))).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual(['receiver.example', 'receiver.example']);
    expect(target.requests).toHaveLength(1);
  });

  it('of a localhost name is the loopback that is allowed', async () => {
    const target = await receiver();
    const client = clientFor({ allowedCidrs: ['127.0.0.0/8', '::1/128'], resolve: () => Promise.reject(new Error('must not be asked')) });
    for (const name of ['localhost', 'hooks.localhost', 'localhost.']) {
      expect(await client.post(request(`http://${name}:${portOf(target.url)}/`))).toMatchObject({ kind: 'response', status: 200 });
    }
  });

  it('is the next one when the first does not answer', async () => {
    const target = await receiver();
    const client = clientFor({ resolve: () => Promise.resolve(['127.0.0.9', '127.0.0.1']) });
    expect(await client.post(request(`http://two.example:${portOf(target.url)}/`))).toMatchObject({ kind: 'response', status: 200 });
  });
});

describe('the deadline', () => {
  it('cuts a receiver that says nothing, and lets the connection go', async () => {
    const target = await receiver('hang');
    const result = await clientFor().post(request(target.url, { timeoutMs: 150 }));
    expect(result).toMatchObject({ kind: 'timeout', error: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(149);
    expect(result.durationMs).toBeLessThan(1000);
    await eventually(() => target.inFlight === 0);
  });

  it('cuts a body that drips on and on', async () => {
    const target = await receiver({ drip: { everyMs: 20 } });
    const result = await clientFor().post(request(target.url, { timeoutMs: 300 }));
    expect(result).toMatchObject({ kind: 'timeout' });
    expect(result.durationMs).toBeLessThan(1500);
    await eventually(() => target.inFlight === 0);
  });

  it('cuts headers that drip on and on', async () => {
    const { port } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-A: b\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await clientFor().post(request(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }))).toMatchObject({ kind: 'timeout' });
  });

  it('covers name resolution', async () => {
    const client = clientFor({ resolve: () => new Promise(() => undefined), connectTimeoutMs: 500 });
    const result = await client.post(request('http://silent.example/', { timeoutMs: 100 }));
    expect(result).toMatchObject({ kind: 'timeout' });
    expect(result.durationMs).toBeLessThan(450);
  });

  it('covers the TLS handshake', async () => {
    const { port } = await rawServer(() => undefined);
    const client = clientFor({ connectTimeoutMs: 500 });
    expect(await client.post(request(`https://127.0.0.1:${port}/`, { timeoutMs: 100 }))).toMatchObject({ kind: 'timeout' });
  });

  it('is not outlived by connecting', async () => {
    const { port } = await rawServer(() => undefined);
    const client = clientFor({ connectTimeoutMs: 100 });
    expect(await client.post(request(`https://127.0.0.1:${port}/`, { timeoutMs: 20_000 }))).toMatchObject({ kind: 'timeout' });
  });

  it('keeps a request that waited too long for a connection from being sent at all', async () => {
    const target = await receiver((received) => (received.url === '/slow' ? { delayMs: 300 } : 200));
    const client = clientFor({ connectionsPerOrigin: 1 });
    const slow = client.post(request(`${target.url}/slow`));
    expect(await client.post(request(`${target.url}/late`, { timeoutMs: 50 }))).toMatchObject({ kind: 'timeout' });
    expect(await slow).toMatchObject({ kind: 'response', status: 200 });
    expect(await client.post(request(`${target.url}/next`))).toMatchObject({ kind: 'response', status: 200 });
    expect(target.requests.map(({ url }) => url)).toEqual(['/slow', '/next']);
  });

  it("yields to the caller's signal", async () => {
    const target = await receiver('hang');
    const controller = new AbortController();
    const pending = clientFor().post(request(target.url, { signal: controller.signal }));
    await target.waitFor(1);
    controller.abort();
    expect(await pending).toMatchObject({ kind: 'transport_error', error: 'request aborted', code: 'ABORTED' });
    await eventually(() => target.inFlight === 0);
    expect(await clientFor().post(request(target.url, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'ABORTED' });
    expect(target.requests).toHaveLength(1);
  });
});

describe('the response body', () => {
  it('is whole at 64 KiB', async () => {
    const target = await receiver({ body: Buffer.alloc(65_536, 'x') });
    const result = await clientFor().post(request(target.url));
    expect(result).toMatchObject({ kind: 'response', truncated: false });
    expect(result.kind === 'response' && result.body.length).toBe(65_536);
  });

  it('is cut at 64 KiB, and the connection given up', async () => {
    let closed = false;
    const { port } = await rawServer((socket) => {
      socket.once('close', () => (closed = true));
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const pump = (): void => {
        while (socket.writable && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`));
      };
      socket.on('drain', pump);
      pump();
    });
    const result = await clientFor().post(request(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ kind: 'response', status: 200, truncated: true });
    expect(result.kind === 'response' && result.body.length).toBe(65_536);
    await eventually(() => closed);
  });
});

describe('connections', () => {
  it('are reused, and bounded for one origin', async () => {
    const sockets = new Set<net.Socket>();
    const server = createHttpServer((incoming, response) => {
      sockets.add(incoming.socket);
      incoming.resume().once('end', () => setImmediate(() => response.end()));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => void server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`;
    const client = clientFor({ connectionsPerOrigin: 3 });
    const results = await Promise.all(Array.from({ length: 30 }, () => client.post(request(url))));
    expect(results.every((result) => result.kind === 'response')).toBe(true);
    expect(sockets.size).toBe(3);
  });

  it('are closed when idle', async () => {
    const target = await receiver();
    const client = clientFor({ idleMs: 60 });
    await client.post(request(target.url));
    expect(client.openOrigins).toBe(1);
    await eventually(() => client.openOrigins === 0);
    expect(await client.post(request(target.url))).toMatchObject({ kind: 'response' });
  });

  it('stay open as long as they are used', async () => {
    const target = await rawServer((socket) => socket.on('data', (data) => data.includes('{"a":1}') && socket.write(OK)));
    const client = clientFor({ idleMs: 400, connectionsPerOrigin: 1 });
    for (let round = 0; round < 20; round++) {
      await client.post(request(`http://127.0.0.1:${target.port}/`));
      await sleep(40);
    }
    expect(target.connections).toBe(1);
  });

  it('are not closed while a request is under way', async () => {
    const target = await receiver('hang');
    let idleClosed = false;
    const idle = await rawServer((socket) => socket.once('close', () => (idleClosed = true)).once('data', () => socket.write(OK)));
    const client = clientFor({ idleMs: 60 });
    const pending = client.post(request(target.url, { timeoutMs: 1000 }));
    await client.post(request(`http://127.0.0.1:${idle.port}/`));
    await eventually(() => idleClosed);
    expect(client.openOrigins).toBe(1);
    expect(await pending).toMatchObject({ kind: 'timeout' });
    await eventually(() => client.openOrigins === 0);
  });

  it('are bounded in origins: the least recently used one goes', async () => {
    const targets = await Promise.all([receiver(), receiver(), receiver()]);
    const client = clientFor({ maxOrigins: 2 });
    for (const target of targets) await client.post(request(target.url));
    expect(client.openOrigins).toBe(2);
  });

  it('are renewed after their time, so that a change of DNS is followed', async () => {
    const target = await receiver();
    let resolutions = 0;
    const client = clientFor({
      maxAgeMs: 0,
      resolve: () => {
        resolutions++;
        return Promise.resolve(['127.0.0.1']);
      },
    });
    const url = `http://moving.example:${portOf(target.url)}/`;
    for (let count = 0; count < 3; count++) await client.post(request(url));
    expect(resolutions).toBe(3);
  });

  it('end with the client, after what is under way', async () => {
    const target = await receiver({ delayMs: 100 });
    const client = clientFor();
    const pending = client.post(request(target.url));
    await target.waitFor(1);
    await client.close();
    expect(await pending).toMatchObject({ kind: 'response', status: 200 });
    expect(await client.post(request(target.url))).toMatchObject({ kind: 'transport_error', code: 'ABORTED' });
    expect(target.requests).toHaveLength(1);
  });
});

describe('a kept-alive connection that the receiver had closed', () => {
  /** Answers so many requests on the first connection, so many on the second, and so on, and cuts it at the next one. */
  async function cuttingServer(served: number[], onCut: (socket: net.Socket) => void = (socket) => void socket.resetAndDestroy()) {
    const requests: number[] = [];
    const server = await rawServer((socket) => {
      const connection = server.connections - 1;
      let left = served[connection] ?? served.at(-1)!;
      socket.on('data', () => {
        requests.push(connection);
        if (left-- > 0) socket.write(OK);
        else onCut(socket);
      });
    });
    return { url: `http://127.0.0.1:${server.port}/`, requests };
  }

  it('is replaced and the request sent once more', async () => {
    const { url, requests } = await cuttingServer([1, 5]);
    const client = clientFor({ connectionsPerOrigin: 1 });
    await client.post(request(url));
    expect(await client.post(request(url))).toMatchObject({ kind: 'response', status: 200 });
    expect(requests).toEqual([0, 0, 1]);
  });

  it('is also told by an orderly close without an answer', async () => {
    const { url, requests } = await cuttingServer([1, 5], (socket) => void socket.end());
    const client = clientFor({ connectionsPerOrigin: 1 });
    await client.post(request(url));
    expect(await client.post(request(url))).toMatchObject({ kind: 'response', status: 200 });
    expect(requests).toEqual([0, 0, 1]);
  });

  it('gets one such retry, no more', async () => {
    const { url, requests } = await cuttingServer([1, 0]);
    const client = clientFor({ connectionsPerOrigin: 1 });
    await client.post(request(url));
    expect(await client.post(request(url))).toMatchObject({ kind: 'transport_error', error: 'connection closed by the receiver' });
    expect(requests).toEqual([0, 0, 1]);
  });

  it('gets no second retry when the first meets another such connection', async () => {
    const { url, requests } = await cuttingServer([1, 1, 5]);
    const client = clientFor({ connectionsPerOrigin: 2 });
    await Promise.all([client.post(request(url)), client.post(request(url))]);
    expect(await client.post(request(url))).toMatchObject({ kind: 'transport_error', error: 'connection closed by the receiver' });
    expect(requests.toSorted()).toEqual([0, 0, 1, 1]);
  });

  it('is not taken for the fresh one that followed it', async () => {
    const requests: number[] = [];
    const server = await rawServer((socket) => {
      const connection = server.connections;
      socket.once('data', () => {
        requests.push(connection);
        if (connection === 1) socket.end(OK.replace('\r\n', '\r\nConnection: close\r\n'));
        else socket.resetAndDestroy();
      });
    });
    const client = clientFor({ connectionsPerOrigin: 1 });
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await client.post(request(url))).toMatchObject({ kind: 'response', status: 200 });
    expect(await client.post(request(url))).toMatchObject({ kind: 'transport_error' });
    expect(requests).toEqual([1, 2]);
  });

  it('is no excuse for a fresh connection that breaks', async () => {
    const { url, requests } = await cuttingServer([0]);
    expect(await clientFor().post(request(url))).toMatchObject({ kind: 'transport_error', error: 'connection closed by the receiver' });
    expect(requests).toEqual([0]);
  });

  it('is none once a response has begun', async () => {
    const { url, requests } = await cuttingServer([1], (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    const client = clientFor({ connectionsPerOrigin: 1 });
    await client.post(request(url));
    expect(await client.post(request(url))).toMatchObject({ kind: 'transport_error' });
    expect(requests).toEqual([0, 0]);
  });
});

describe('a transport error', () => {
  it('has a public text without any address', async () => {
    const { port } = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    const unknown = Object.assign(new Error('queryA ENOTFOUND nowhere.example'), { code: 'ENOTFOUND' });
    const client = clientFor({ resolve: () => Promise.reject(unknown) });
    const errors = [
      await client.post(request('http://127.0.0.1:1/')),
      await client.post(request('http://nowhere.example/')),
      await client.post(request(`http://127.0.0.1:${port}/`)),
      await client.post(request('http://127.0.0.1:1/', { headers: { 'bad header': 'x' } })),
    ];
    expect(errors).toMatchObject([
      { kind: 'transport_error', error: 'connection refused', code: 'ECONNREFUSED' },
      { kind: 'transport_error', error: 'host name not found', code: 'ENOTFOUND' },
      { kind: 'transport_error', error: 'invalid HTTP response', code: expect.stringMatching(/^HPE_/) },
      { kind: 'transport_error', error: 'invalid request' },
    ]);
    for (const error of errors) expect(JSON.stringify(error)).not.toMatch(/127\.0\.0\.1|nowhere/);
  });
});

describe('TLS', () => {
  async function tlsReceiver(): Promise<{ port: number; names: (string | false | null)[] }> {
    const names: (string | false | null)[] = [];
    const server = createHttpsServer({ key: TEST_SERVER_KEY, cert: TEST_SERVER_CERTIFICATE }, (incoming, response) => {
      names.push((incoming.socket as TLSSocket & { servername: string | false | null }).servername);
      incoming.resume().once('end', () => response.end('secure'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => void server.close().closeAllConnections());
    return { port: (server.address() as net.AddressInfo).port, names };
  }

  const resolve: ResolveHost = () => Promise.resolve(['127.0.0.1']);

  it('is verified against the name of the URL, which is sent as SNI', async () => {
    const { port, names } = await tlsReceiver();
    const client = clientFor({ ca: TEST_CA, resolve });
    for (const host of ['receiver.test', 'receiver.test.', '127.0.0.1']) {
      expect(await client.post(request(`https://${host}:${port}/`))).toMatchObject({ kind: 'response', status: 200 });
    }
    expect(names).toEqual(['receiver.test', 'receiver.test', false]);
  });

  it('refuses a certificate for another name', async () => {
    const { port, names } = await tlsReceiver();
    const result = await clientFor({ ca: TEST_CA, resolve }).post(request(`https://other.test:${port}/`));
    expect(result).toMatchObject({ kind: 'transport_error', error: 'certificate does not match the host name' });
    expect(names).toHaveLength(0);
  });

  it('refuses an authority that is not trusted', async () => {
    const { port, names } = await tlsReceiver();
    const result = await clientFor({ resolve }).post(request(`https://receiver.test:${port}/`));
    expect(result).toMatchObject({ kind: 'transport_error', error: 'certificate not trusted' });
    expect(names).toHaveLength(0);
  });
});
