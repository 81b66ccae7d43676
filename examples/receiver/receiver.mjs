/**
 * A receiver of outgoing webhooks that stores the events. README.md lists its settings. `GET /`
 * shows the events. POST to an address with a secret in the secrets file stores an event.
 */
import { createServer } from 'node:http';
import { Events } from './events.mjs';
import { secretsOf } from './secrets.mjs';
import { proofs } from './signature.mjs';
import { wholeOf } from './whole.mjs';

const { PORT = '4100', EVENTS_FILE = 'events.jsonl' } = process.env;
const events = await Events.open(EVENTS_FILE);

/** @returns the status: 2xx only for stored events, never 4xx for temporary failures */
async function handle({ url, headers }, body) {
  const proven = proofs(await secretsOf(url), headers, body);
  if (proven.length === 0) return 401;
  const event = JSON.parse(body.toString('utf8'));
  if (event.event_type === 'WEBHOOK_TEST') return 204;
  const isNew = await events.once(event.event_id, () => entryOf(event, headers, proven));
  console.log(`${isNew ? 'stored' : 'known '} ${event.event_type} ${event.event_id} (${proven.join(', ')})`);
  return 204;
}

async function entryOf(event, headers, proven) {
  return {
    event_type: event.event_type,
    conversation_id: event.conversation_id,
    delivery_id: headers['x-service-delivery-id'],
    proofs: proven,
    ...(await wholeOf(event)),
  };
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET')
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(events.overview, null, 2));
  try {
    const body = Buffer.concat(await request.toArray());
    response.writeHead(await handle(request, body)).end();
  } catch (error) {
    // An internal error, here or in Tieline. Tieline retries the delivery.
    console.error(error);
    response.writeHead(503).end();
  }
});
// Listens only locally, because `GET /` shows the data. In production put a proxy with TLS in
// front.
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`ready: receiving at port ${server.address().port}`),
);
