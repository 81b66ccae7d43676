import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type net from 'node:net';
import { eventually } from '@tieline/testing';
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

afterEach(closeAll);

describe('connections', () => {
  it('are reused, and limited per origin', async () => {
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
    let openDuring = 0;
    const target = await receiver(() => {
      openDuring = client.openOrigins;
      return 200;
    });
    const client = clientFor({ idleMs: 60 });
    await client.post(request(target.url));
    expect(openDuring).toBe(1);
    await eventually(() => client.openOrigins === 0);
    expect(await client.post(request(target.url))).toMatchObject({ kind: 'response' });
  });

  it('stay open as long as they are used', async () => {
    const target = await rawServer((socket) =>
      socket.on('data', (data) => data.includes('{"a":1}') && socket.write(OK)),
    );
    const idleMs = 2_000;
    let longestMs: number;
    let before: number;
    do {
      // Starts over if the machine stood still for longer.
      const client = clientFor({ idleMs, connectionsPerOrigin: 1 });
      before = target.connections;
      longestMs = 0;
      for (let round = 0; round < 20; round++) {
        const begun = performance.now();
        await client.post(request(`http://127.0.0.1:${target.port}/`));
        await sleep(120);
        longestMs = Math.max(longestMs, performance.now() - begun);
      }
    } while (longestMs > 0.9 * idleMs);
    expect(target.connections - before).toBe(1);
  });

  it('are not closed during a request', async () => {
    let respond = (): void => undefined;
    const responding = new Promise<number>((resolve) => (respond = () => resolve(200)));
    const target = await receiver(() => responding);
    let idleClosed = false;
    const idle = await rawServer((socket) =>
      socket.once('close', () => (idleClosed = true)).once('data', () => socket.write(OK)),
    );
    const client = clientFor({ idleMs: 60 });
    const pending = client.post(request(target.url));
    await client.post(request(`http://127.0.0.1:${idle.port}/`));
    await eventually(() => idleClosed);
    expect(client.openOrigins).toBe(1);
    respond();
    expect(await pending).toMatchObject({ kind: 'response', status: 200 });
    await eventually(() => client.openOrigins === 0);
  });

  it('are limited in origins: the least recently used one is closed', async () => {
    const targets = await Promise.all([receiver(), receiver(), receiver()]);
    const client = clientFor({ maxOrigins: 2 });
    for (const target of targets) await client.post(request(target.url));
    expect(client.openOrigins).toBe(2);
  });

  it('are replaced after their lifetime, so that DNS changes are followed', async () => {
    const target = await receiver();
    let resolutions = 0;
    const client = clientFor({
      maxAgeMs: 0,
      resolve: () => {
        resolutions++;
        return Promise.resolve(['127.0.0.1']);
      },
    });
    const url = named('moving.example', target.url);
    for (let count = 0; count < 3; count++) await client.post(request(url));
    expect(resolutions).toBe(3);
  });

  it('are closed with the client, after their requests', async () => {
    const target = await receiver({ delayMs: 100 });
    const client = clientFor();
    const pending = client.post(request(target.url));
    await target.waitFor(1);
    await client.close();
    expect(await pending).toMatchObject({ kind: 'response', status: 200 });
    expect(await client.post(request(target.url))).toMatchObject({
      kind: 'transport_error',
      code: 'ABORTED',
    });
    expect(target.requests).toHaveLength(1);
  });
});

describe('a kept-alive connection that the receiver had closed', () => {
  /**
   * Answers this many requests on the first connection, on the second, and so on, and cuts it at
   * the next one.
   */
  async function cuttingServer(
    served: number[],
    onCut: (socket: net.Socket) => void = (socket) => void socket.resetAndDestroy(),
  ) {
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

  it('is also recognized by an orderly close without an answer', async () => {
    const { url, requests } = await cuttingServer([1, 5], (socket) => void socket.end());
    const client = clientFor({ connectionsPerOrigin: 1 });
    await client.post(request(url));
    expect(await client.post(request(url))).toMatchObject({ kind: 'response', status: 200 });
    expect(requests).toEqual([0, 0, 1]);
  });

  it('gets one retry only', async () => {
    const { url, requests } = await cuttingServer([1, 0]);
    const client = clientFor({ connectionsPerOrigin: 1 });
    await client.post(request(url));
    expect(await client.post(request(url))).toMatchObject({
      kind: 'transport_error',
      error: 'connection closed by the receiver',
    });
    expect(requests).toEqual([0, 0, 1]);
  });

  it('gets no second retry when the first meets another such connection', async () => {
    const { url, requests } = await cuttingServer([1, 1, 5]);
    const client = clientFor({ connectionsPerOrigin: 2 });
    await Promise.all([client.post(request(url)), client.post(request(url))]);
    expect(await client.post(request(url))).toMatchObject({
      kind: 'transport_error',
      error: 'connection closed by the receiver',
    });
    expect(requests.toSorted()).toEqual([0, 0, 1, 1]);
  });

  it('is not confused with the new one that followed it', async () => {
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

  it('does not excuse a new connection that breaks', async () => {
    const { url, requests } = await cuttingServer([0]);
    expect(await clientFor().post(request(url))).toMatchObject({
      kind: 'transport_error',
      error: 'connection closed by the receiver',
    });
    expect(requests).toEqual([0]);
  });

  it('does not count once a response has begun', async () => {
    const { url, requests } = await cuttingServer(
      [1],
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
    );
    const client = clientFor({ connectionsPerOrigin: 1 });
    await client.post(request(url));
    expect(await client.post(request(url))).toMatchObject({ kind: 'response', status: 200 });
    expect(requests).toEqual([0, 0]);
  });
});
