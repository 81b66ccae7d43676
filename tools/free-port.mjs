import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * Above the ports that fetch refuses, of which 10080 is the last, and below those that the system
 * assigns to clients and to servers without a fixed port.
 */
export const PORT_RANGE = /** @type {const} */ ([10_081, 32_000]);

/**
 * Returns a free TCP port of 127.0.0.1. It is reserved against other callers of this function while
 * this process lives, no matter when the program starts to listen.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(...PORT_RANGE);
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
