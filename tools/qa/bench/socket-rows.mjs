// (s) Sockets of bots: from a commit to its envelope, and from a click to the answer that its
// acknowledgement carries.
import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';
import { json } from '../calls.mjs';
import { quantile } from './load.mjs';
import { createWorkspace } from '../world.mjs';

const MESSAGES = 300;
const BUTTONS = 50;
const PER_MESSAGE = 5;

/**
 * One after the other, so that nothing waits for anything but the way itself. The floor is the
 * request that a client makes in any case.
 */
export async function sockets(product) {
  const [api, worker] = [await product.start('api'), await product.start('worker')];
  try {
    const bot = await makeBot(api.url);
    const socket = await open(api.url, bot.token);
    const events = await timeEvents(api.url, bot, socket);
    const clicks = await timeClicks(api.url, bot);
    socket.close();
    return [
      ...rowsOf('a message is sent until its envelope is there', events),
      ...rowsOf('click to acknowledged answer', clicks),
    ];
  } finally {
    await worker.stop();
    await api.stop();
  }
}

async function makeBot(url) {
  const made = await createWorkspace(url, 1);
  await json(url, 'PATCH', `/api/v1/admin/bots/${made.botId}`, made.owner, {
    event_delivery_mode: 'poll',
    event_types: ['MESSAGE_CREATED'],
  });
  return made;
}

/** Answers everything; `arrivals` tells when what came. */
function open(url, token) {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/bot/socket`, { headers });
  const arrivals = new Map();
  socket.on('message', (data) => {
    const { envelope_id: id, payload } = JSON.parse(String(data));
    if (id === undefined) return;
    const message = payload.data?.message_id;
    const waiting = arrivals.get(message);
    // The envelope may arrive before the response to the post.
    if (typeof waiting === 'function') waiting(performance.now());
    else arrivals.set(message, performance.now());
    socket.send(JSON.stringify({ envelope_id: id, answer: { noop: true } }));
  });
  const close = () => socket.close();
  const arrival = (id) => arrivals.get(id) ?? new Promise((resolve) => arrivals.set(id, resolve));
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ arrival, close }));
    socket.once('error', reject);
  });
}

/** @param {string} url @param {import('../world.mjs').Workspace} bot @param {any} socket */
async function timeEvents(url, { owner, channels }, socket) {
  const [channel] = channels;
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const floor = [];
  for (let n = 0; n < MESSAGES; n += 1) {
    const begun = performance.now();
    const path = `/api/v1/client/conversations/${channel}/messages`;
    const { message_id: id, message } = await json(url, 'POST', path, owner, {
      text: `a message of the bench ${n}`,
    });
    const answered = performance.now();
    ours.push((await socket.arrival(id ?? message.id)) - begun);
    floor.push(answered - begun);
  }
  return { ours, floor };
}

/** Beside reading one message, which goes through the same doors. */
async function timeClicks(url, { token, owner, channels }) {
  const [channel] = channels;
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const floor = [];
  for (const { id, signedToken, actionId } of await makeButtons(url, { token, owner, channel })) {
    const begun = performance.now();
    const { result } = await json(url, 'POST', `/api/v1/client/messages/${id}/interactions`, owner, {
      action_id: actionId,
      signed_token: signedToken,
    });
    if (result !== 'noop') throw new Error(`a click was answered with ${result}`);
    const answered = performance.now();
    await json(url, 'GET', `/api/v1/bot/messages/${id}`, token);
    ours.push(answered - begun);
    floor.push(performance.now() - answered);
  }
  return { ours, floor };
}

async function makeButtons(url, { token, owner, channel }) {
  const elements = Array.from({ length: PER_MESSAGE }, (_, n) => ({
    type: 'button',
    action_id: `go${n}`,
    text: 'Go',
  }));
  const metadata = JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements }] });
  for (let sent = 0; sent < BUTTONS / PER_MESSAGE; sent += 1)
    await json(url, 'POST', '/api/v1/bot/messages', token, {
      conversation_id: channel,
      content: 'Go?',
      metadata_json: metadata,
    });
  const { messages } = await json(url, 'GET', `/api/v1/channels/${channel}/messages`, owner);
  const shown = messages.filter(({ metadata_json: given }) => given?.includes('signed_token'));
  return shown.flatMap(({ id, metadata_json: given }) =>
    JSON.parse(given).blocks[0].elements.map((one) => ({
      id,
      signedToken: one.signed_token,
      actionId: one.action_id,
    })),
  );
}

function rowsOf(what, { ours, floor }) {
  return [0.5, 0.99].map((q) => ({
    row: `p${q * 100}: ${what}`,
    ours: `${quantile(ours, q).toFixed(2)} ms`,
    floor: `one request ${quantile(floor, q).toFixed(2)} ms`,
    ratio: quantile(ours, q) / quantile(floor, q),
    target: '',
  }));
}
