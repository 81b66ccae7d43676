import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type net from 'node:net';
import type { TLSSocket } from 'node:tls';
import { EgressClient } from './egress-client.js';
import { EgressPolicy, PublicEgressPolicy } from '../policy/egress-policy.js';
import {
  OK,
  clientFor,
  closeAll,
  closers,
  named,
  rawServer,
  receiver,
  request,
} from '../testing/egress-testing.js';
import type { ResolveHost } from '../policy/resolve-host.js';
import { TEST_CA, TEST_SERVER_CERTIFICATE, TEST_SERVER_KEY } from '@tieline/testing';

afterEach(closeAll);

describe('a request', () => {
  it('arrives with path, query, headers and exact bytes, and returns the response', async () => {
    const target = await receiver({
      status: 201,
      headers: { 'Retry-After': '7', 'Set-Cookie': 'a=b' },
      body: 'thanks',
    });
    const body = Buffer.from([0, 255, 10, 13, 0xd0, 0x9f]);
    const result = await clientFor().post(
      request(`${target.url}/hook/a%20b?x=1&y=%2F#fragment`, { body, headers: { 'X-Service-Event': 'E' } }),
    );
    expect(result).toMatchObject({
      kind: 'response',
      status: 201,
      truncated: false,
      headers: { 'retry-after': '7' },
    });
    expect(result.kind === 'response' && result.body.toString()).toBe('thanks');
    expect(Number.isInteger(result.durationMs)).toBe(true);
    const [received] = target.requests;
    expect(received).toMatchObject({ method: 'POST', url: '/hook/a%20b?x=1&y=%2F' });
    expect(received!.body).toEqual(body);
    expect(received!.headers).toMatchObject({
      'user-agent': 'Tieline/1.2.3',
      'x-service-event': 'E',
      'content-length': '6',
      host: new URL(target.url).host,
    });
  });

  it('stores no cookie', async () => {
    const target = await receiver({ headers: { 'Set-Cookie': 'a=b; Path=/' } });
    const client = clientFor();
    for (let n = 0; n < 2; n += 1) await client.post(request(target.url));
    expect(target.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %s', async (status) => {
    const elsewhere = await receiver();
    const target = await receiver({ status, headers: { location: `${elsewhere.url}/next` } });
    expect(await clientFor().post(request(target.url))).toMatchObject({
      kind: 'response',
      status,
      headers: { location: `${elsewhere.url}/next` },
    });
    expect(elsewhere.requests).toHaveLength(0);
  });

  it('returns 4xx and 5xx as responses', async () => {
    const target = await receiver(503);
    expect(await clientFor().post(request(target.url))).toMatchObject({ kind: 'response', status: 503 });
  });

  it('skips an interim response', async () => {
    const { port } = await rawServer((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${OK}`)),
    );
    expect(await clientFor().post(request(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'response',
      status: 200,
    });
  });
});

describe('the address', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://localhost:PORT/',
    'http://u:p@127.0.0.1:PORT/',
    'ftp://127.0.0.1:PORT/',
    'nonsense',
  ])('is refused without any connection: %s', async (pattern) => {
    const target = await rawServer((socket) => socket.destroy());
    const result = await clientFor({ allowedCidrs: [] }).post(
      request(pattern.replace('PORT', String(target.port))),
    );
    expect(result).toEqual({ kind: 'refused', error: 'address not allowed', durationMs: expect.any(Number) });
    expect(target.connections).toBe(0);
  });

  it('of a person must be public and HTTPS, whatever is allowed for receivers, also at the connection', async () => {
    const target = await rawServer((socket) => socket.destroy());
    const resolve: ResolveHost = () => Promise.resolve(['127.0.0.1']);
    const opened = new EgressPolicy({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'], resolve });
    const client = new EgressClient(opened, { version: '1' }, new PublicEgressPolicy({ resolve }));
    closers.push(() => client.close());
    for (const url of ['http://127.0.0.1', 'https://127.0.0.1', 'https://localhost', 'https://push.example'])
      expect(await client.post(request(`${url}:${target.port}/`, { publicOnly: true }))).toMatchObject({
        kind: 'refused',
      });
    expect(target.connections).toBe(0);
    await client.post(request(`https://push.example:${target.port}/`));
    expect(target.connections).toBe(1);
    const known = new PublicEgressPolicy({ resolve: () => Promise.reject(new Error('was resolved')) });
    const plain = new EgressClient(opened, { version: '1' }, known);
    closers.push(() => plain.close());
    expect(await plain.post(request('http://push.example/', { publicOnly: true }))).toMatchObject({
      kind: 'refused',
    });
  });

  it('is checked again at the connection: a name that was public at registration', async () => {
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
    const client = clientFor({
      allowedCidrs: ['127.0.0.1/32'],
      resolve: () => Promise.resolve(['127.0.0.1', '10.0.0.1']),
    });
    expect(await client.post(request(`http://mixed.example:${target.port}/`))).toMatchObject({
      kind: 'refused',
    });
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
    const url = named('receiver.example', target.url);
    expect(await client.post(request(url))).toMatchObject({ kind: 'response', status: 200 });
    expect(asked).toEqual(['receiver.example']);
    expect(await client.post(request(url))).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual(['receiver.example', 'receiver.example']);
    expect(target.requests).toHaveLength(1);
  });

  it('of a localhost name is the allowed loopback address', async () => {
    const target = await receiver();
    const client = clientFor({
      allowedCidrs: ['127.0.0.0/8', '::1/128'],
      resolve: () => Promise.reject(new Error('must not be asked')),
    });
    for (const name of ['localhost', 'hooks.localhost', 'localhost.']) {
      expect(await client.post(request(named(name, target.url)))).toMatchObject({
        kind: 'response',
        status: 200,
      });
    }
  });

  it('is the next one when the first does not answer', async () => {
    const target = await receiver();
    const client = clientFor({ resolve: () => Promise.resolve(['127.0.0.9', '127.0.0.1']) });
    expect(await client.post(request(named('two.example', target.url)))).toMatchObject({
      kind: 'response',
      status: 200,
    });
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
    const server = createHttpsServer(
      { key: TEST_SERVER_KEY, cert: TEST_SERVER_CERTIFICATE },
      (incoming, response) => {
        names.push((incoming.socket as TLSSocket & { servername: string | false | null }).servername);
        incoming.resume().once('end', () => response.end('secure'));
      },
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => void server.close().closeAllConnections());
    return { port: (server.address() as net.AddressInfo).port, names };
  }

  const resolve: ResolveHost = () => Promise.resolve(['127.0.0.1']);

  it('is checked against the name of the URL, which is sent as SNI', async () => {
    const { port, names } = await tlsReceiver();
    const client = clientFor({ ca: TEST_CA, resolve });
    for (const host of ['receiver.test', 'receiver.test.', '127.0.0.1']) {
      expect(await client.post(request(`https://${host}:${port}/`))).toMatchObject({
        kind: 'response',
        status: 200,
      });
    }
    expect(names).toEqual(['receiver.test', 'receiver.test', false]);
  });

  it('refuses a certificate for another name', async () => {
    const { port, names } = await tlsReceiver();
    const result = await clientFor({ ca: TEST_CA, resolve }).post(request(`https://other.test:${port}/`));
    expect(result).toMatchObject({
      kind: 'transport_error',
      error: 'certificate does not match the host name',
    });
    expect(names).toHaveLength(0);
  });

  it('refuses an untrusted authority', async () => {
    const { port, names } = await tlsReceiver();
    const result = await clientFor({ resolve }).post(request(`https://receiver.test:${port}/`));
    expect(result).toMatchObject({ kind: 'transport_error', error: 'certificate not trusted' });
    expect(names).toHaveLength(0);
  });
});
