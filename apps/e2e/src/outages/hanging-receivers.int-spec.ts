import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@tieline/sdk/client';
import { eventually, startThreadReceiver } from '@tieline/testing';
import type { ThreadReceiver } from '@tieline/testing';
import { firstAttempts, createWorkspace, subscribe, Tieline } from '../tieline.js';

let tieline: Tieline;
/** In other threads, because this one posts. */
let healthy: ThreadReceiver;
let hanging: ThreadReceiver;

beforeAll(async () => {
  // Longer than the test, so that what waits for a hanging receiver never arrives.
  tieline = await Tieline.create({ DELIVERY_TIMEOUT_MS: '120000' });
  [healthy, hanging] = await Promise.all([startThreadReceiver(), startThreadReceiver()]);
});
afterAll(async () => {
  await Promise.all([healthy?.close(), hanging?.close()]);
  await tieline?.close();
});

/**
 * From the beginning, more deliveries wait for hanging receivers than a worker's lane has places.
 */
const BACKLOG = 600;
const EVENTS = 2000;
/** Limit on unanswered posts. */
const OPEN = 64;
/** Time limit for posting, so that the test also ends on a slow machine. */
const POSTING_MS = 25_000;
const DRAINED_MS = 60_000;

/** Posts until `next` returns no channel, with several posts at a time. */
async function postAll(bot: Client, next: () => string | undefined): Promise<void> {
  const postNext = async (): Promise<void> => {
    for (let channel = next(); channel !== undefined; channel = next())
      await bot.messages.send({ conversation_id: channel, content: 'event' });
  };
  await Promise.all(Array.from({ length: OPEN }, postNext));
}

/**
 * Returns the maximum number of deliveries that a worker held for one of these subscriptions:
 * attempts in progress and results not yet stored.
 */
async function mostHeld(isOn: () => boolean, subscriptions: string[]): Promise<number> {
  let most = 0;
  for (; isOn(); await sleep(25)) {
    const { rows } = await tieline.sql.query<{ held: number }>(
      'SELECT count(*)::int AS held FROM delivery_queue WHERE lease_until > now() AND target_id = ANY($1) GROUP BY target_id',
      [subscriptions],
    );
    most = Math.max(most, ...rows.map(({ held }) => held));
  }
  return most;
}

test('with 10 % hanging receivers the healthy ones get everything, without waiting for those', async () => {
  const [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  const workspace = await createWorkspace(api, { channels: 20 });
  const stuck = workspace.channels.filter((_, n) => n % 10 === 9);
  const slow: string[] = [];
  for (const channel of workspace.channels) {
    const { url } = stuck.includes(channel) ? hanging : healthy;
    const { id } = await subscribe(api, workspace, url, { channel_ids: [channel] });
    if (stuck.includes(channel)) slow.push(id);
  }
  await hanging.respond('hang');
  let isPosting = true;
  const held = mostHeld(() => isPosting, slow);
  // Posts that are refused are repeated with the same key.
  const bot = new Client({ url: api.url, token: workspace.botToken, timeoutMs: 60_000 });
  let backlog = 0;
  await postAll(bot, () => (backlog < BACKLOG ? stuck[backlog++ % stuck.length] : undefined));
  const begun = Date.now();
  let [posted, expected] = [0, 0];
  await postAll(bot, () => {
    if (posted === EVENTS || Date.now() > begun + POSTING_MS) return undefined;
    const channel = workspace.channels[posted++ % 20]!;
    if (!stuck.includes(channel)) expected += 1;
    return channel;
  });
  await eventually(() => expect(firstAttempts(healthy)).toHaveLength(expected), { timeoutMs: DRAINED_MS });
  isPosting = false;
  // 16 places each, and as many results being stored.
  expect(await held).toBeLessThanOrEqual(32);
  expect(hanging.requests.length).toBeGreaterThan(0);
  expect(await tieline.unexplainedAttempts(healthy)).toEqual([]);
});
