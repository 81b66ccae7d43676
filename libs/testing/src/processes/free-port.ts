import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/** Below those that the system gives to clients and to whoever asks for any port. */
const [FIRST, LAST] = [10_000, 32_000];

/**
 * A TCP port of 127.0.0.1 that nobody listens on at this moment. No other process of tests gets it
 * as long as this one lives, however late the program listens that it is meant for.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if ((await claim(port)) && (await getPort({ host: '127.0.0.1', port })) === port) return port;
  }
}

/**
 * Whose UDP port it is, which no program wants, has the TCP port to themselves. @returns whether
 * nobody else had it
 */
function claim(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const claimed = createSocket('udp4').unref();
    claimed.once('error', () => claimed.close(() => settle(false)));
    claimed.bind(port, '127.0.0.1', () => settle(true));
  });
}
