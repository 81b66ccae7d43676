// Reports when the message with a text has arrived. Runs in this process because nothing else
// listens.
import { createServer } from 'node:http';

/**
 * @returns {Promise<{ url: string, told: (text: string) => Promise<void>, stop: () => Promise<void>
 * }>}
 */
export async function startTold() {
  const waiting = new Map();
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    response.end();
    const { data } = JSON.parse(Buffer.concat(parts).toString());
    waiting.get(data.text)?.();
    waiting.delete(data.text);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    told: (text) => new Promise((done) => waiting.set(text, done)),
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(done);
      }),
  };
}
