import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that nobody listens on at this moment.
 * @param {number} [wanted] tried first
 * @returns {Promise<number>}
 */
export async function freePort(wanted = 0) {
  try {
    return await tryPort(wanted);
  } catch (error) {
    if (wanted === 0) throw error;
    return tryPort(0);
  }
}

/** @param {number} port @returns {Promise<number>} */
function tryPort(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
