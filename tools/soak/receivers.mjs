// Receivers: working and failing subscriptions and pushes, and the callbacks of a bot.
import { createServer } from 'node:http';
import { Told } from './told.mjs';

const DRIP_EVERY_MS = 500;

/** Failing receivers by path. */
export const UNWELL = {
  '/hang': () => undefined,
  '/reset': (response) => response.socket.destroy(),
  '/redirect': (response) => response.writeHead(302, { location: '/trap' }).end(),
  '/liar': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('less than it says');
    setTimeout(() => response.socket.destroy(), 50);
  },
  '/drip': (response) => {
    response.writeHead(200).write('.');
    const drip = setInterval(() => response.write('.'), DRIP_EVERY_MS);
    response.on('close', () => clearInterval(drip));
  },
};

/** @param {() => number} random one request in thirty is answered with 503 */
export async function startReceivers(random) {
  const receivers = {
    hook: new Told(),
    push: new Told(),
    changes: new Told(),
    recovered: new Told(),
    /** The messages of the ordered subscription, as they came. */
    ordered: [],
    /** When each delivery came last, in milliseconds. */
    arrivals: new Map(),
    trapped: 0,
    isRepaired: false,
  };
  const paths = {
    '/hook': ({ data, event_id: id }) => receivers.hook.add(data.message_id, id),
    '/push': ({ data, event_id: id }) => receivers.push.add(data.message_id, id),
    '/ordered': ({ data }) => receivers.ordered.push(data.message_id),
    '/changes': ({ event_type: type, data, event_id: id }) =>
      receivers.changes.add(`${type} ${data.message_id}`, id),
    '/refuse': ({ data, event_id: id }) => receivers.recovered.add(data.message_id, id),
    '/trap': () => (receivers.trapped += 1),
  };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const { url: path, headers } = request;
    if (headers['x-service-delivery-id'])
      receivers.arrivals.set(headers['x-service-delivery-id'], Date.now());
    if (UNWELL[path]) return void UNWELL[path](response);
    const hear = paths[path];
    if (!hear) return void response.setHeader('content-type', 'application/json').end(answerTo(body));
    if (path === '/refuse' && !receivers.isRepaired) return void response.writeHead(400).end();
    if (random() < 1 / 30) return void response.writeHead(503).end();
    hear(body);
    response.end();
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.keepAliveTimeout = 60_000;
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  receivers.url = `http://127.0.0.1:${server.address().port}`;
  receivers.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return receivers;
}

/** Returns a bot's answer to a click or command. */
function answerTo({ event_type: type, data, text }) {
  return type === 'button.click'
    ? JSON.stringify({ send_message: { text: `answer to ${data}` } })
    : JSON.stringify({ response_type: 'in_channel', text: `answer to ${text}` });
}
