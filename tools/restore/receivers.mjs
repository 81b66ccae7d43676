// Two receivers: one takes everything, the other nothing until it is repaired, so that something is
// always in flight.
import { createServer } from 'node:http';

export async function startReceivers() {
  /** Path and event id of what was taken, in the order in which it came; a repeat comes twice. */
  const taken = [];
  let isRepaired = false;
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { event_id: eventId, data } = JSON.parse(Buffer.concat(parts).toString());
    // 429 is tried again and opens no breaker.
    if (request.url === '/late' && !isRepaired) return void response.writeHead(429).end();
    taken.push({ path: request.url, eventId, messageId: data.message_id });
    response.end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    taken,
    repair: () => (isRepaired = true),
    damage: () => (isRepaired = false),
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(done);
      }),
  };
}
