import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/** Below the ports that the system assigns to clients and to servers without a fixed port. */
const [FIRST, LAST] = [10_000, 32_000];

/**
 * Returns a free TCP port of 127.0.0.1. It is reserved against other callers of this function while
 * this process lives, no matter when the program starts to listen.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if ((await claim(port)) && (await getPort({ host: '127.0.0.1', port })) === port) return port;
  }
}

/**
 * Reserves the TCP port by binding the UDP port with the same number, which no program uses.
 * @param {number} port
 * @returns {Promise<boolean>} whether it was free
 */
function claim(port) {
  return new Promise((settle) => {
    const claimed = createSocket('udp4').unref();
    claimed.once('error', () => claimed.close(() => settle(false)));
    claimed.bind(port, '127.0.0.1', () => settle(true));
  });
}
