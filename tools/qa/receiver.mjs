import { createServer } from 'node:http';

/**
 * Listens on a free port of this machine.
 *
 * @param {import('node:http').Server} server
 * @returns {Promise<number>} the port
 */
export async function listen(server) {
  server.keepAliveTimeout = 60_000;
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  return portOf(server);
}

/** @param {import('node:http').Server} server that listens @returns {number} */
export const portOf = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port;

/**
 * Starts a receiver of JSON in this process.
 *
 * @param {(path: string, body: any, response: import('node:http').ServerResponse,
 * headers: import('node:http').IncomingHttpHeaders) => unknown} handle ends the response
 */
export async function startReceiver(handle) {
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}');
    handle(request.url ?? '', body, response, request.headers);
  });
  server.on('clientError', (_, socket) => socket.destroy());
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    /** @returns {Promise<void>} */
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
