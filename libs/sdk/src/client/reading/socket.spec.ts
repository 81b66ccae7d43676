import type { AddressInfo } from 'node:net';
import { eventually } from '@tieline/testing';
import { WebSocket, WebSocketServer } from 'ws';
import { Client } from '../client.js';
import type { SocketOptions } from './socket.js';
import type { WebSocketClass } from './web-socket.js';

let server: WebSocketServer;
let sockets: WebSocket[];
let received: { envelope_id?: string; answer?: unknown; type?: string }[];
let client: Client;
let stop: AbortController;
/** Actions of the server after "hello", for each connection in order. */
let scripts: ((socket: WebSocket) => void)[];
let isSilent: boolean;

beforeEach(async () => {
  sockets = [];
  received = [];
  isSilent = false;
  stop = new AbortController();
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'tieline.v1' });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket, request) => {
    sockets.push(socket);
    expect(request.url).toBe('/api/v1/bot/socket');
    expect(request.headers['sec-websocket-protocol']).toBe('tieline.v1,tieline.bearer.tlb_t');
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.type !== 'ping') received.push(message);
      else if (!isSilent) socket.send('{"type":"pong"}');
    });
    socket.send('{"type":"hello","connection_id":"c"}');
    scripts.shift()?.(socket);
  });
  const webSocket = WebSocket as unknown as WebSocketClass;
  client = new Client({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'tlb_t',
    webSocket,
  });
});
afterEach(() => {
  stop.abort();
  for (const socket of sockets) socket.terminate();
  server.close();
});

const envelope = (id: string, attempt = 1) =>
  JSON.stringify({ type: 'event', envelope_id: id, attempt, payload: { text: id } });
const open = (options: SocketOptions = {}) =>
  client.socket<{ text: string }>({ signal: stop.signal, ...options });

test('returns envelopes and acknowledges them, with an answer if there is one', async () => {
  scripts = [(socket) => (socket.send(envelope('1')), socket.send(envelope('2')))];
  const reading = open();
  const first = (await reading.next()).value!;
  const second = (await reading.next()).value!;
  expect([first, second]).toMatchObject([
    { type: 'event', envelope_id: '1', attempt: 1, payload: { text: '1' } },
    { envelope_id: '2' },
  ]);
  second.ack({ ephemeral_text: 'Thanks' });
  first.ack();
  first.ack({ ephemeral_text: 'only the first counts' });
  await eventually(() => expect(received).toHaveLength(2));
  expect(received).toEqual([
    { envelope_id: '2', answer: { ephemeral_text: 'Thanks' } },
    { envelope_id: '1' },
  ]);
});

test('a repeated envelope is returned once and acknowledged over the new connection', async () => {
  scripts = [
    (socket) => (socket.send(envelope('1')), socket.send(envelope('2'))),
    (socket) => (socket.send(envelope('1', 2)), socket.send(envelope('2', 2)), socket.send(envelope('3'))),
  ];
  const reading = open();
  const first = (await reading.next()).value!;
  const second = (await reading.next()).value!;
  first.ack({ noop: true });
  await eventually(() => expect(received).toHaveLength(1));
  sockets[0]!.terminate();
  await eventually(() => expect(sockets[0]!.readyState).toBe(WebSocket.CLOSED));
  expect((await reading.next()).value).toMatchObject({ envelope_id: '3' });
  await eventually(() => expect(received).toHaveLength(2));
  second.ack();
  await eventually(() => expect(received).toHaveLength(3));
  expect(received.slice(1)).toEqual([{ envelope_id: '1', answer: { noop: true } }, { envelope_id: '2' }]);
});

test('leaves a silent server, but not one that only pings', async () => {
  const troubles: unknown[] = [];
  isSilent = true;
  scripts = [
    () => undefined,
    (socket) => ((isSilent = false), setTimeout(() => socket.send(envelope('1')), 4500)),
  ];
  const reading = open({ silenceMs: 3000, onTrouble: (error) => troubles.push(error) });
  expect((await reading.next()).value).toMatchObject({ envelope_id: '1' });
  expect(troubles).toMatchObject([{ message: 'the socket was lost: no data for 3000 ms' }]);
  expect(sockets).toHaveLength(2);
});

test.each([
  [4401, 401, 'socket_token'],
  [4403, 403, 'socket_space'],
  [4409, 409, 'socket_mode'],
])('%d ends the reading', async (closeCode, status, code) => {
  scripts = [(socket) => (socket.send(envelope('1')), socket.close(closeCode))];
  const reading = open();
  await reading.next();
  await expect(reading.next()).rejects.toMatchObject({ status, code });
});

test.each([
  [1001, 0],
  [1013, 1],
  [4429, 1],
])('reconnects after %d', async (closeCode, troubles) => {
  const seen: unknown[] = [];
  scripts = [(socket) => socket.close(closeCode), (socket) => socket.send(envelope('1'))];
  const reading = open({ onTrouble: (error) => seen.push(error) });
  expect((await reading.next()).value).toMatchObject({ envelope_id: '1' });
  expect(seen).toHaveLength(troubles);
});

test('ignores unknown messages, and an invalid one ends the connection', async () => {
  const troubles: unknown[] = [];
  scripts = [
    (socket) => (
      socket.send('{"type":"news","envelope_id":"0"}'),
      socket.send(envelope('1')),
      socket.send('<html>')
    ),
    (socket) => socket.send(envelope('2')),
  ];
  const reading = open({ onTrouble: (error) => troubles.push(error) });
  expect((await reading.next()).value).toMatchObject({ envelope_id: '1' });
  expect((await reading.next()).value).toMatchObject({ envelope_id: '2' });
  expect(troubles).toMatchObject([{ message: 'the socket was lost: received an invalid message' }]);
});

test('a rejected answer is reported', async () => {
  const refused: unknown[] = [];
  scripts = [
    (socket) => {
      socket.send('{"type":"error","envelope_id":"1","code":"invalid_answer","error":"no"}');
      socket.send(envelope('2'));
    },
  ];
  await open({ onRefusedAnswer: (refusal) => refused.push(refusal) }).next();
  expect(refused).toMatchObject([{ envelope_id: '1', code: 'invalid_answer', error: 'no' }]);
});

test('the signal ends it without an error, and the connection with it', async () => {
  scripts = [() => stop.abort()];
  expect(await open().next()).toEqual({ done: true, value: undefined });
  await eventually(() => expect(sockets[0]!.readyState).toBe(WebSocket.CLOSED));
});

test('a platform without WebSocket gets an error with advice', async () => {
  const plain = new Client({ url: client.url, token: 't' });
  if (!('WebSocket' in globalThis))
    await expect(plain.socket().next()).rejects.toThrow(/that of the package ws/);
});
