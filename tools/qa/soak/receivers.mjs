// Receivers: working and failing subscriptions and pushes, and the callbacks of a bot.
import { startReceiver } from '../receiver.mjs';
import { Told } from './told.mjs';

const DRIP_EVERY_MS = 500;
const TURNS = 4;
const TURN_MS = 5;

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
  const readers = {
    hook: new Told(),
    push: new Told(),
    changes: new Told(),
    recovered: new Told(),
    /** The messages of the ordered subscription, as they came. */
    ordered: /** @type {string[]} */ ([]),
    /** When each delivery came last, at the earliest, in milliseconds. */
    arrivals: new Map(),
    trapped: 0,
    isRepaired: false,
  };
  const paths = {
    '/hook': ({ data, event_id: id }) => readers.hook.add(data.message_id, id),
    '/push': ({ data, event_id: id }) => readers.push.add(data.message_id, id),
    '/ordered': ({ data }) => readers.ordered.push(data.message_id),
    '/changes': ({ event_type: type, data, event_id: id }) =>
      readers.changes.add(`${type} ${data.message_id}`, id),
    '/refuse': ({ data, event_id: id }) => readers.recovered.add(data.message_id, id),
    '/trap': () => (readers.trapped += 1),
  };
  const turns = recentTurns();
  const server = await startReceiver((path, body, response, headers) => {
    const delivery = headers['x-service-delivery-id'];
    if (delivery) readers.arrivals.set(String(delivery), turns.before());
    if (UNWELL[path]) return UNWELL[path](response);
    const hear = paths[path];
    if (!hear) return response.setHeader('content-type', 'application/json').end(answerTo(body));
    if (path === '/refuse' && !readers.isRepaired) return response.writeHead(400).end();
    if (random() < 1 / 30) return response.writeHead(503).end();
    hear(body);
    return response.end();
  });
  const stop = () => {
    turns.stop();
    return server.stop();
  };
  return { readers, url: server.url, stop };
}

/**
 * A busy process reads a request late: accepts the connection in one turn of its event loop, and
 * reads in the next ones. `before()` returns the start of the turn before these, in milliseconds.
 */
function recentTurns() {
  const begun = Array.from({ length: TURNS }, () => Date.now());
  const timer = setInterval(() => {
    begun.push(Date.now());
    begun.shift();
  }, TURN_MS);
  return { before: () => begun[0] ?? 0, stop: () => clearInterval(timer) };
}

/** Returns a bot's answer to a click or command. */
function answerTo({ event_type: type, data, text }) {
  return type === 'button.click'
    ? JSON.stringify({ send_message: { text: `answer to ${data}` } })
    : JSON.stringify({ response_type: 'in_channel', text: `answer to ${text}` });
}
