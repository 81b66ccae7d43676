import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@tieline/testing';
import { OK, clientFor, closeAll, rawServer, request } from '../testing/egress-testing.js';

afterEach(closeAll);

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

/**
 * A server that sends these parts to every request, one after the other, and then keeps or ends the
 * connection.
 */
async function answering(parts: readonly string[], end: 'keep' | 'end' | 'reset' = 'keep') {
  const requests: string[] = [];
  const sockets: net.Socket[] = [];
  const server = await rawServer((socket) => {
    sockets.push(socket.setNoDelay());
    socket.on('data', (data) => {
      requests.push(data.toString('latin1'));
      void send(socket);
    });
  });
  const send = async (socket: net.Socket): Promise<void> => {
    for (const part of parts) {
      socket.write(part, 'latin1');
      await sleep(5);
    }
    if (end === 'end') socket.end();
    if (end === 'reset') socket.resetAndDestroy();
  };
  return { url: `http://127.0.0.1:${server.port}/`, requests, sockets };
}

describe('a final status decides', () => {
  it.each([
    ['a body that is cut short', ['HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf'], 'end'],
    ['a connection that is reset in the body', [`${CHUNKED}4\r\nhalf\r\n`], 'reset'],
    ['a missing last chunk', [`${CHUNKED}4\r\nhalf\r\n`], 'end'],
    ['a broken chunk', [`${CHUNKED}4\r\nhalf\r\nZZ\r\n`], 'keep'],
    ['a broken chunk beside the head', [`${CHUNKED}ZZ\r\n`], 'keep'],
    ['a length that is too large', ['HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"ok":true}'], 'keep'],
    ['a length that is too small', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"ok":true}'], 'keep'],
    ['a body behind a 204', ['HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'], 'keep'],
    ['a body without a length behind a 204', ['HTTP/1.1 204 No Content\r\n\r\n{"a":1}'], 'keep'],
    ['more than 64 KiB', [`${CHUNKED}20000\r\n${'x'.repeat(0x20000)}\r\n`], 'keep'],
  ] as const)('over %s', async (_name, parts, end) => {
    const { url, requests } = await answering(parts, end);
    const result = await clientFor().post(request(url, { bodyMs: 200 }));
    expect(result).toMatchObject({ kind: 'response', status: Number(parts[0].slice(9, 12)) });
    expect(requests).toHaveLength(1);
  });

  it.each([404, 429, 503])(
    'despite a body that is cut after a %s, which keeps its headers',
    async (status) => {
      const head = `HTTP/1.1 ${status} No\r\nRetry-After: 7\r\nContent-Length: 1000\r\n\r\nhalf`;
      const { url } = await answering([head], 'end');
      const result = await clientFor().post(request(url));
      expect(result).toMatchObject({ kind: 'response', status, headers: { 'retry-after': '7' } });
      expect(result).toMatchObject({ broken: { kind: 'transport_error' }, body: Buffer.from('half') });
    },
  );

  it('despite a slow body: the request ends soon after the status, and closes the connection', async () => {
    let timer: NodeJS.Timeout | undefined;
    let closed = false;
    const { port } = await rawServer((socket) => {
      socket.once('close', () => (closed = true)).once('close', () => clearInterval(timer));
      socket.once('data', () => {
        socket.write(CHUNKED);
        timer = setInterval(() => socket.write('1\r\nx\r\n'), 10);
      });
    });
    const result = await clientFor().post(
      request(`http://127.0.0.1:${port}/`, { bodyMs: 150, timeoutMs: 120_000 }),
    );
    expect(result).toMatchObject({ kind: 'response', status: 200, broken: { kind: 'timeout' } });
    expect(result.durationMs).toBeLessThan(60_000);
    await eventually(() => closed);
  });

  it('despite a body that is incomplete at the deadline', async () => {
    const { url, sockets } = await answering([`${CHUNKED}1\r\nx\r\n`]);
    const client = clientFor();
    // On a busy machine the status may arrive after a short deadline.
    const postWithin = (timeoutMs: number) => client.post(request(url, { timeoutMs }));
    let result = await postWithin(200);
    for (let timeoutMs = 400; result.kind === 'timeout' && timeoutMs < 10_000; timeoutMs *= 2)
      result = await postWithin(timeoutMs);
    expect(result).toMatchObject({ kind: 'response', status: 200, broken: { kind: 'timeout' } });
    await eventually(() => sockets.every((socket) => socket.destroyed));
  });

  it('only once its head is complete', async () => {
    const { url } = await answering(['HTTP/1.1 200 OK\r\nX-A: b\r\n'], 'end');
    expect(await clientFor().post(request(url))).toMatchObject({ kind: 'transport_error' });
  });
});

describe('an unrequested interim response', () => {
  it.each([
    ['100 Continue', ['HTTP/1.1 100 Continue\r\n\r\n', OK]],
    ['100 Continue in one piece with the response', [`HTTP/1.1 100 Continue\r\n\r\n${OK}`]],
    ['100 Continue of HTTP/1.0, with headers', [`HTTP/1.0 100 Go on\r\nX-A: b\r\n\r\n${OK}`]],
    [
      '101 Switching Protocols',
      [`HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n${OK}`],
    ],
    ['102 Processing', ['HTTP/1.1 102 Processing\r\n\r\n', OK]],
    ['103 Early Hints', ['HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', OK]],
    [
      'several',
      [`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n`, OK],
    ],
    ['byte by byte', [...`HTTP/1.1 100 Continue\r\nA: b\r\n\r\n${OK}`]],
  ])('is skipped: %s', async (_name, parts) => {
    const { url, requests } = await answering(parts);
    const client = clientFor();
    // The second request uses the same connection.
    for (let n = 0; n < 2; n += 1) {
      const result = await client.post(request(url));
      expect(result).toMatchObject({ kind: 'response', status: 200, body: Buffer.from('ok') });
    }
    expect(requests).toHaveLength(2);
  });

  it('is no answer: a receiver that sends nothing else times out', async () => {
    const { url } = await answering(['HTTP/1.1 100 Continue\r\n\r\n']);
    expect(await clientFor().post(request(url, { timeoutMs: 150 }))).toMatchObject({ kind: 'timeout' });
  });

  it('is distinguished from a response that merely begins like one', async () => {
    const { url } = await answering(['HTTP/1.1 2', '00 OK\r\nContent-Length: 12\r\n\r\nHTTP/1.1 100']);
    const result = await clientFor().post(request(url));
    expect(result).toMatchObject({ kind: 'response', status: 200, body: Buffer.from('HTTP/1.1 100') });
  });
});

describe('the bytes of a request', () => {
  it('have each header once, ignoring case', async () => {
    const { url, requests } = await answering([OK]);
    const headers = {
      'User-Agent': 'a',
      'user-agent': 'b',
      'X-Twice': '1',
      'x-twice': '2',
      'Content-length': '99',
    };
    await clientFor().post(request(url, { headers }));
    const [head] = requests[0]!.split('\r\n\r\n');
    const lines = head!.split('\r\n').slice(1);
    const named = (name: string) => lines.filter((line) => line.toLowerCase().startsWith(`${name}:`));
    expect(named('user-agent')).toEqual(['User-Agent: Tieline/1.2.3']);
    expect(named('x-twice')).toEqual(['x-twice: 2']);
    expect(named('content-length')).toEqual(['content-length: 7']);
    expect(new Set(lines.map((line) => line.split(':')[0]!.toLowerCase())).size).toBe(lines.length);
  });
});
