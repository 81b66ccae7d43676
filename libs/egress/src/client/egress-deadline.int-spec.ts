import { eventually } from '@tieline/testing';
import { clientFor, closeAll, rawServer, receiver, request } from '../testing/egress-testing.js';

afterEach(closeAll);

describe('the deadline', () => {
  it('aborts a silent receiver, and closes the connection', async () => {
    const target = await receiver('hang');
    const result = await clientFor().post(request(target.url, { timeoutMs: 150 }));
    expect(result).toMatchObject({ kind: 'timeout', error: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(149);
    expect(result.durationMs).toBeLessThan(30_000);
    await eventually(() => target.inFlight === 0);
  });

  it('aborts headers that arrive too slowly', async () => {
    const { port } = await rawServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('X-A: b\r\n'), 20);
        socket.once('close', () => clearInterval(timer));
      });
    });
    expect(await clientFor().post(request(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }))).toMatchObject({
      kind: 'timeout',
    });
  });

  it('covers name resolution', async () => {
    const client = clientFor({ resolve: () => new Promise(() => undefined) });
    const result = await client.post(request('http://silent.example/', { timeoutMs: 100 }));
    expect(result).toMatchObject({ kind: 'timeout' });
    expect(result.durationMs).toBeLessThan(30_000);
  });

  it('covers the TLS handshake', async () => {
    const { port } = await rawServer(() => undefined);
    const result = await clientFor().post(request(`https://127.0.0.1:${port}/`, { timeoutMs: 100 }));
    expect(result).toMatchObject({ kind: 'timeout' });
    expect(result.durationMs).toBeLessThan(30_000);
  });

  it('also limits connecting', async () => {
    const { port } = await rawServer(() => undefined);
    const client = clientFor({ connectTimeoutMs: 100 });
    const result = await client.post(request(`https://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ kind: 'timeout' });
    expect(result.durationMs).toBeLessThan(30_000);
  });

  it('prevents sending a request that waited too long for a connection', async () => {
    let respond = (): void => undefined;
    const responding = new Promise<number>((resolve) => (respond = () => resolve(200)));
    const target = await receiver((received) => (received.url === '/slow' ? responding : 200));
    const client = clientFor({ connectionsPerOrigin: 1 });
    const slow = client.post(request(`${target.url}/slow`));
    expect(await client.post(request(`${target.url}/late`, { timeoutMs: 50 }))).toMatchObject({
      kind: 'timeout',
    });
    respond();
    expect(await slow).toMatchObject({ kind: 'response', status: 200 });
    expect(await client.post(request(`${target.url}/next`))).toMatchObject({ kind: 'response', status: 200 });
    expect(target.requests.map(({ url }) => url)).toEqual(['/slow', '/next']);
  });

  it('a request whose connection is ready too late is not sent, and the connection serves the next one', async () => {
    const written: string[] = [];
    const server = await rawServer((socket) =>
      socket.on('data', (bytes) => {
        written.push(String(bytes).split('\r\n')[0] ?? '');
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      }),
    );
    const sendBy = performance.now() + 50;
    const client = clientFor({
      resolve: async () => {
        await eventually(() => performance.now() >= sendBy);
        return ['127.0.0.1'];
      },
    });
    const url = `http://late.example:${server.port}`;
    expect(await client.post(request(`${url}/late`, { sendBy }))).toMatchObject({
      kind: 'transport_error',
      error: 'connecting took too long',
      code: 'TOO_LATE',
    });
    const later = request(`${url}/next`, { sendBy: performance.now() + 60_000 });
    expect(await client.post(later)).toMatchObject({ kind: 'response', status: 200 });
    expect(written).toEqual(['POST /next HTTP/1.1']);
    expect(server.connections).toBe(1);
  });

  it("the caller's signal aborts earlier", async () => {
    const target = await receiver('hang');
    const controller = new AbortController();
    const pending = clientFor().post(request(target.url, { signal: controller.signal }));
    await target.waitFor(1);
    controller.abort();
    expect(await pending).toMatchObject({
      kind: 'transport_error',
      error: 'request aborted',
      code: 'ABORTED',
    });
    await eventually(() => target.inFlight === 0);
    expect(await clientFor().post(request(target.url, { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'ABORTED',
    });
    expect(target.requests).toHaveLength(1);
  });
});

describe('the response body', () => {
  it('is complete at 64 KiB', async () => {
    const target = await receiver({ body: Buffer.alloc(65_536, 'x') });
    const result = await clientFor().post(request(target.url));
    expect(result).toMatchObject({ kind: 'response', truncated: false });
    expect(result.kind === 'response' && result.body.length).toBe(65_536);
  });

  it('is cut at 64 KiB, and the connection closed', async () => {
    let closed = false;
    const { port } = await rawServer((socket) => {
      socket.once('close', () => (closed = true));
      const pump = (): void => {
        while (socket.writable && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`));
      };
      socket.on('drain', pump).once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        pump();
      });
    });
    const result = await clientFor().post(request(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ kind: 'response', status: 200, truncated: true });
    expect(result.kind === 'response' && result.body.length).toBe(65_536);
    await eventually(() => closed);
  });
});
