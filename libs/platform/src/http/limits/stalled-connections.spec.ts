import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createNetServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@tieline/testing';
import { cutStalledConnections } from './stalled-connections.js';

const LIMIT_MS = 600;
const BIG = Buffer.alloc(32 * 1_048_576);

test('a process that was frozen for longer than the limit does not cut readers', async () => {
  const server = createServer((_, response) => response.end(BIG));
  cutStalledConnections(server, LIMIT_MS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let got = 0;
  reader.on('data', (part) => (got += part.length)).on('error', () => undefined);
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => got > 0);
  reader.pause();
  await sleep(LIMIT_MS / 3);
  const until = Date.now() + 2 * LIMIT_MS;
  while (Date.now() < until);
  reader.resume();
  await eventually(() => expect(got).toBeGreaterThan(BIG.length));
  reader.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a connection that offered an upgrade is watched once', () => {
  const watched = createNetServer() as unknown as Server;
  cutStalledConnections(watched, LIMIT_MS);
  const socket = new Socket();
  for (let n = 0; n < 12; n += 1) watched.emit('connection', socket);
  expect(socket.listenerCount('close')).toBe(1);
  socket.destroy();
  watched.emit('close');
});
