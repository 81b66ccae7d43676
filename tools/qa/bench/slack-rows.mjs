// (l) Slack apps: chat.postMessage beside POST /bot/messages, and socket mode beside the native
// socket.
import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';
import { json } from '../calls.mjs';
import { createBot, createWorkspace } from '../world.mjs';
import { closedLoop, median, quantile } from './load.mjs';
import { promised } from './promises.mjs';
import { messageRequest } from './rows.mjs';

const CONCURRENCY = 64;
const CHANNELS = 200;
const MESSAGES = 300;

/**
 * @param {import('../product.mjs').Product} product
 * @param {{ rounds: number, seconds: number }} scale
 */
export async function slackApps(product, scale) {
  const api = await product.start('api');
  try {
    const postRow = await posts(api.url, scale);
    const worker = await product.start('worker');
    try {
      return [postRow, await events(api.url)];
    } finally {
      await worker.stop();
    }
  } finally {
    await api.stop();
  }
}

/** @param {string} url @param {{ rounds: number, seconds: number }} scale */
async function posts(url, { rounds, seconds }) {
  const workspace = await createWorkspace(url, CHANNELS);
  const channels = await slackChannels(url, workspace.token);
  const slack = slackRequest(workspace.token, channels);
  const native = messageRequest(workspace, 'a message of the bench');
  // Slack's methods answer 200 also when they refuse.
  const message = { channel: channels[0], text: 'the first message of the bench' };
  const { ok, error } = await json(url, 'POST', '/slack/api/chat.postMessage', workspace.token, message);
  if (!ok) throw new Error(`chat.postMessage was refused: ${error}`);
  const load = { origin: url, concurrency: CONCURRENCY };
  const ours = [];
  const floors = [];
  for (let round = -1; round < rounds; round += 1) {
    const length = round < 0 ? 2 : seconds;
    const floor = await closedLoop({ ...load, seconds: length, request: native });
    const run = await closedLoop({ ...load, seconds: length, request: slack });
    if (run.failures + floor.failures > 0) throw new Error('messages were refused');
    if (round < 0) continue;
    ours.push(run.perSecond);
    floors.push(floor.perSecond);
  }
  return {
    row: 'chat.postMessage/s',
    ours: `${Math.round(median(ours))}/s`,
    floor: `POST /bot/messages ${Math.round(median(floors))}/s`,
    ratio: median(ours.map((perSecond, i) => perSecond / floors[i])),
    target: promised('slack-messages'),
  };
}

/** @param {string} token @param {string[]} channels in Slack's spelling */
function slackRequest(token, channels) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return (/** @type {number} */ n) => ({
    path: '/slack/api/chat.postMessage',
    headers,
    body: new URLSearchParams({
      channel: channels[n % channels.length],
      text: `a message of the bench ${n}`,
    }).toString(),
  });
}

/** @param {string} url @param {string} token @returns {Promise<string[]>} */
async function slackChannels(url, token) {
  const { channels } = await json(url, 'GET', `/slack/api/conversations.list?limit=${CHANNELS}`, token);
  return channels.map((/** @type {{ id: string }} */ { id }) => id);
}

/**
 * Two bots get the same messages, one after the other.
 * @param {string} url
 */
async function events(url) {
  const { owner, channels } = await createWorkspace(url, 1);
  const [channel] = channels;
  const settings = { event_delivery_mode: 'poll', event_types: ['MESSAGE_CREATED'] };
  const native = await createBot(url, owner, 'native', settings);
  const slack = await createBot(url, owner, 'slack', { ...settings, event_format: 'slack' });
  for (const { token } of [native, slack])
    await json(url, 'POST', `/api/v1/bot/conversations/${channel}/join`, token);
  const headers = { authorization: `Bearer ${native.token}` };
  const sockets = [
    await open(new WebSocket(`${url.replace('http', 'ws')}/api/v1/bot/socket`, { headers })),
    await open(new WebSocket(await socketModeAddress(url, slack.token))),
  ];
  /** @type {number[][]} */
  const times = [[], []];
  for (let n = 0; n < MESSAGES; n += 1) {
    const text = `a message of the bench ${n}`;
    const begun = performance.now();
    const arrivals = sockets.map(({ next }) => next());
    await json(url, 'POST', `/api/v1/client/conversations/${channel}/messages`, owner, { text });
    for (const [i, arrived] of (await Promise.all(arrivals)).entries()) times[i].push(arrived - begun);
  }
  for (const { close } of sockets) close();
  const [floor, ours] = times.map((list) => quantile(list, 0.5));
  return {
    row: 'p50: a message is sent until its envelope of socket mode is there',
    ours: `${ours.toFixed(2)} ms`,
    floor: `native socket ${floor.toFixed(2)} ms`,
    ratio: floor / ours,
    target: 'at most 5 ms more',
  };
}

/** @param {string} url @param {string} token @returns {Promise<string>} below this api */
async function socketModeAddress(url, token) {
  const answer = await json(url, 'POST', '/slack/api/apps.connections.open', token.replace(/^tlb_/, 'xapp-'));
  const { pathname, search } = new URL(answer.url);
  return `${url.replace('http', 'ws')}${pathname}${search}`;
}

/**
 * Acknowledges every envelope. `next` resolves with the time at which the next one arrives.
 * @param {WebSocket} socket
 */
function open(socket) {
  /** @type {((time: number) => void) | undefined} */
  let waiting;
  socket.on('message', (data) => {
    const { envelope_id: id } = JSON.parse(String(data));
    if (id === undefined) return;
    waiting?.(performance.now());
    socket.send(JSON.stringify({ envelope_id: id }));
  });
  /** @returns {Promise<number>} */
  const next = () => new Promise((resolve) => (waiting = resolve));
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ next, close: () => socket.close() }));
    socket.once('error', reject);
  });
}
