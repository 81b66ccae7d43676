// (k) The effect of clicks with hanging callbacks on everyone else.
import { setTimeout as sleep } from 'node:timers/promises';
import { request as httpRequest, Pool } from 'undici';
import { json } from '../calls.mjs';
import { median, openLoop } from './load.mjs';
import { startScript } from '../product.mjs';
import { createWorkspace } from '../world.mjs';

const IN_FLIGHT = 200;
/** Enough bots to stay below the limit of 600 clicks per bot and minute. */
const BOTS = 10;
/** The people start clicking one after another within this time. */
const BEGINNING_MS = 3000;
/** CALLBACK_TIMEOUT_MS: longer than a round, so that everyone only waits, and the default. */
const WAITING_MS = 10_000;
const DEFAULT_MS = 3000;
const PER_SECOND = 200;
/** Of the 200 in flight as many may be between two clicks at any one moment. */
const ENOUGH = 0.9;

/**
 * Measures messages at a fixed rate, alternating without and with 200 people whose clicks wait for
 * callbacks that never answer. There are far fewer database connections than clicks, so holding one
 * while waiting would show. Once with clicks that only wait, and once with the default timeout,
 * where about 67 clicks a second end and are repeated, which is work.
 */
export async function clicks(product, { rounds, seconds }) {
  const waiting = await clicksFor(product, WAITING_MS, { rounds, seconds });
  const renewed = await clicksFor(product, DEFAULT_MS, { rounds, seconds });
  const again = `${Math.round(IN_FLIGHT / (DEFAULT_MS / 1000))} of them a second ending and clicked again`;
  return [
    ...rowsOf(`${IN_FLIGHT} clicks in flight on callbacks that hang`, waiting, ['<= 1.3', '<= 1.5']),
    ...rowsOf(`the same, ${again}`, renewed, ['', '']),
  ];
}

async function clicksFor(product, timeoutMs, { rounds, seconds }) {
  const receiver = await startScript('tools/qa/bench/hanging-receiver.mjs', [], {});
  product.env.CALLBACK_TIMEOUT_MS = String(timeoutMs);
  const api = await product.start('api');
  try {
    const url = `http://127.0.0.1:${receiver.info.port}`;
    const buttons = await makeButtons(api.url, url);
    return await inTurns({ api, url, buttons, request: await messages(api.url) }, { rounds, seconds });
  } finally {
    await api.stop();
    await receiver.stop();
    delete product.env.CALLBACK_TIMEOUT_MS;
  }
}

/** A first round warms up and is not counted. */
async function inTurns({ api, url, buttons, request }, { rounds, seconds }) {
  /** @typedef {Awaited<ReturnType<typeof measure>>} Run */
  const runs = { without: /** @type {Run[]} */ ([]), beside: /** @type {Run[]} */ ([]) };
  for (let round = -1; round < rounds; round += 1) {
    const without = await measure(api, request, seconds);
    const clickers = await startClicking(api.url, url, buttons);
    const beside = await measure(api, request, seconds);
    const { open } = await openCallbacks(url);
    await clickers.stop();
    if (open < IN_FLIGHT * ENOUGH) throw new Error(`only ${open} clicks were in flight`);
    if (round < 0) continue;
    runs.without.push(without);
    runs.beside.push(beside);
  }
  return runs;
}

function rowsOf(what, { without, beside }, targets) {
  const row = (name, quantileOf, target) => ({
    row: `${name} of a message at ${PER_SECOND}/s: ${what}`,
    ours: `${median(beside.map(quantileOf)).toFixed(2)} ms`,
    floor: `without them ${median(without.map(quantileOf)).toFixed(2)} ms`,
    ratio: median(beside.map((run, n) => quantileOf(run) / quantileOf(without[n]))),
    target,
  });
  return [row('p50', ({ p50 }) => p50, targets[0]), row('p99', ({ p99 }) => p99, targets[1])];
}

/** Open loop, so that what hangs makes a queue rather than fewer requests. */
async function measure(api, request, seconds) {
  const run = await openLoop({ origin: api.url, perSecond: PER_SECOND, seconds, request });
  if (run.failures > 0) throw new Error(`${run.failures} messages were refused`);
  return run;
}

/** Ordinary work of a bot that has nothing to do with the clicks. */
async function messages(url) {
  const { token, channels } = await createWorkspace(url, 50);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (n) => ({
    path: '/api/v1/bot/messages',
    headers,
    body: JSON.stringify({
      conversation_id: channels[n % channels.length],
      content: `a message of the bench ${n}`,
    }),
  });
}

/** Posts a message with a button for everyone who will wait. */
async function makeButtons(apiUrl, callbackUrl) {
  const buttons = [];
  for (let n = 0; n < BOTS; n += 1) {
    const {
      token,
      owner,
      channels: [channel],
    } = await createWorkspace(apiUrl, 1);
    await json(apiUrl, 'PATCH', '/api/v1/bot/interactive_config', token, { callback_url: callbackUrl });
    const metadata = JSON.stringify({
      version: 1,
      blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: 'Go' }] }],
    });
    for (let sent = 0; sent < IN_FLIGHT / BOTS; sent += 1)
      await json(apiUrl, 'POST', '/api/v1/bot/messages', token, {
        conversation_id: channel,
        content: 'Go?',
        metadata_json: metadata,
      });
    const { messages: history } = await json(apiUrl, 'GET', `/api/v1/channels/${channel}/messages`, owner);
    for (const { id, metadata_json: shown } of history)
      buttons.push({ id, owner, signedToken: JSON.parse(shown).blocks[0].elements[0].signed_token });
  }
  if (buttons.length !== IN_FLIGHT) throw new Error(`${buttons.length} buttons`);
  return buttons;
}

/** @param {string} url @returns {Promise<{ open: number }>} */
const openCallbacks = async (url) => /** @type {any} */ ((await httpRequest(`${url}/open`)).body.json());

/**
 * One person per button clicks, waits for the timeout, and clicks again. They start one after
 * another. Resolves when all of them wait.
 */
async function startClicking(origin, receiverUrl, buttons) {
  const pool = new Pool(origin, { connections: IN_FLIGHT, pipelining: 1 });
  let going = true;
  const person = async ({ id, owner, signedToken }, n) => {
    await sleep((n / IN_FLIGHT) * BEGINNING_MS);
    while (going) {
      const headers = { authorization: `Bearer ${owner}`, 'content-type': 'application/json' };
      const answer = await pool.request({
        path: `/api/v1/client/messages/${id}/interactions`,
        method: 'POST',
        headers,
        body: JSON.stringify({ action_id: 'go', signed_token: signedToken }),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 503)
        throw new Error(`a click was answered with ${answer.statusCode}: ${text}`);
    }
  };
  const people = Promise.all(buttons.map(person));
  people.catch(() => undefined);
  await sleep(BEGINNING_MS);
  for (let tries = 0; ; tries += 1) {
    const { open } = await openCallbacks(receiverUrl);
    if (open >= IN_FLIGHT * ENOUGH) break;
    if (tries > 100)
      throw new Error(
        `only ${open} of ${IN_FLIGHT} clicks reach the receiver: something holds the others back`,
      );
    await sleep(50);
  }
  const stop = async () => {
    going = false;
    await people;
    await pool.close();
  };
  return { stop };
}
