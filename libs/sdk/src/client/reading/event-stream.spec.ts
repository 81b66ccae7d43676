import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '../client.js';
import type { StreamOptions } from './event-stream.js';

type Connection = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let requests: IncomingMessage[];
let connections: Connection[];
let client: Client;
let stop: AbortController;

beforeEach(async () => {
  requests = [];
  stop = new AbortController();
  server = createServer((request, response) => {
    requests.push(request);
    const next = connections.shift();
    if (!next) return void response.writeHead(401).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    next(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new Client({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'tlb_t',
    retries: 0,
  });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function read(count: number, options: StreamOptions = {}) {
  const seen: unknown[] = [];
  for await (const { data } of client.stream('/api/v1/bot/stream', { signal: stop.signal, ...options })) {
    seen.push(data);
    if (seen.length === count) break;
  }
  return seen;
}

const frame = (id: number) => `id: ${id}\ndata: {"n":${id},"text":"Привет"}\n\n`;
const event = (n: number) => ({ n, text: 'Привет' });

test('reads events however the bytes are split, and skips pings and comments', async () => {
  connections = [
    (response) => {
      const bytes = Buffer.from(`:ping\n\n${frame(1)}:ping\r\n\r\ndata:{"a":\ndata: 1}\n\n`);
      const send = (at: number) =>
        at < bytes.length && response.write(bytes.subarray(at, at + 1), () => send(at + 1));
      send(0);
    },
  ];
  expect(await read(2)).toEqual([event(1), { a: 1 }]);
  expect(requests[0]!.headers).toMatchObject({ authorization: 'Bearer tlb_t', accept: 'text/event-stream' });
});

test('resumes after a broken connection', async () => {
  const troubles: unknown[] = [];
  connections = [
    (response) => response.write(frame(1), () => response.destroy()),
    (response) => void response.write(frame(2)),
  ];
  expect(await read(2, { lastEventId: '0', onTrouble: (error) => troubles.push(error) })).toEqual([
    event(1),
    event(2),
  ]);
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual(['0', '1']);
  expect(troubles).toHaveLength(1);
});

test('reconnects after the server ends the stream or is silent', async () => {
  const troubles: unknown[] = [];
  let opened = 0;
  connections = [(response) => response.write(frame(1)), (response) => void response.write(frame(2))];
  const options = {
    silenceMs: 3000,
    onTrouble: (error: unknown) => troubles.push(error),
    onOpen: () => void opened++,
  };
  expect(await read(2, options)).toEqual([event(1), event(2)]);
  expect(troubles).toMatchObject([{ message: 'no data for 3000 ms' }]);
  expect(opened).toBe(2);
});

test('pings keep a connection alive, and a slow reader does not count as silence', async () => {
  connections = [
    (response) => {
      response.write(frame(1));
      const timer = setInterval(() => response.write(':ping\n\n'), 300);
      setTimeout(() => response.write(frame(2)), 4500);
      response.once('close', () => clearInterval(timer));
    },
  ];
  const seen: unknown[] = [];
  for await (const { data } of client.stream('/api/v1/bot/stream', { silenceMs: 3000 })) {
    if (seen.push(data) === 2) break;
    await new Promise((resolve) => setTimeout(resolve, 3500));
  }
  expect(seen).toEqual([event(1), event(2)]);
  expect(requests).toHaveLength(1);
});

test('a revoked token ends it', async () => {
  connections = [];
  await expect(read(1)).rejects.toMatchObject({ status: 401 });
});

test('the signal ends it without an error, and the connection with it', async () => {
  let closed: () => void;
  const gone = new Promise<void>((resolve) => (closed = resolve));
  connections = [
    (response) => {
      response.once('close', () => closed());
      stop.abort();
    },
  ];
  expect(await read(1)).toEqual([]);
  await gone;
});

test('leaving the loop ends the connection', async () => {
  let closed: () => void;
  const gone = new Promise<void>((resolve) => (closed = resolve));
  connections = [(response) => void (response.once('close', () => closed()), response.write(frame(1)))];
  expect(await read(1)).toEqual([event(1)]);
  await gone;
});
