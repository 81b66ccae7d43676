import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort, PORT_RANGE } from '../free-port.mjs';
import { script } from './node-script.mjs';

/** Returns the result of another process that tries to claim the port. */
async function claimElsewhere(port) {
  const run = script(`import { createSocket } from 'node:dgram';
    const socket = createSocket('udp4').once('error', ({ code }) => console.log(code));
    socket.bind(${port}, '127.0.0.1', () => { console.log('claimed'); socket.close(); });`);
  await run.ended;
  return run.output().trim();
}

test('a port is reserved for this process before anything listens on it', async () => {
  expect(await claimElsewhere(await freePort())).toContain('EADDRINUSE');
});

test.each(['127.0.0.1', '::'])('a server on %s can listen on it', async (host) => {
  const port = await freePort();
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  await once(server.close(), 'close');
});

test('no port is returned twice', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
});

// The system gives these to any client and server, between our look and the start of a program.
test('no port is one that the system assigns', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

// A program on such a port would never seem ready.
test('no port is one that fetch refuses', async () => {
  const dispatch = () => {
    throw new Error('not refused');
  };
  /** @type {any} */
  const offline = { dispatcher: { dispatch } };
  const reasonFor = (port) => fetch(`http://127.0.0.1:${port}`, offline).catch(({ cause }) => cause.message);
  expect(await reasonFor(10_080)).toBe('bad port');
  const [first, end] = PORT_RANGE;
  for (let port = first; port < end; port += 1)
    if ((await reasonFor(port)) !== 'not refused') throw new Error(`fetch refuses ${port}`);
});
