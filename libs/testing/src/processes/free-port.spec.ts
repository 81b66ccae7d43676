import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';

/** Returns the result of another process that tries to claim the port. */
async function claimElsewhere(port: number): Promise<string> {
  const script = `import { createSocket } from 'node:dgram';
    const socket = createSocket('udp4').once('error', ({ code }) => console.log(code));
    socket.bind(${port}, '127.0.0.1', () => { console.log('claimed'); socket.close(); });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim();
}

test('a port is reserved for this process before anything listens on it', async () => {
  expect(await claimElsewhere(await freePort())).toContain('EADDRINUSE');
});

test.each(['127.0.0.1', '::'])('a server on %s can listen on it', async (host) => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening));
  await new Promise((closed) => server.close(closed));
});

test('no port is returned twice', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
});
