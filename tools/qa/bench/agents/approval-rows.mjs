import { performance } from 'node:perf_hooks';
import { json } from '../../calls.mjs';
import { createBot } from '../../world.mjs';
import { closedLoop } from '../load.mjs';
import { readDirectEvents } from './direct-events.mjs';
import { atRate, p99Row } from './times.mjs';

const DECISIONS_PER_SECOND = 10;
const CALLERS = 16;
/** A bot has at most 1,000 pending approvals. */
const MAX_PENDING = 800;
const BOTS = 10;

/** Decisions on their way to the bot, and creations per second. */
export async function approvals(url, workspace, { decisions, seconds }) {
  const decided = await decide(url, workspace, decisions);
  const bots = [];
  for (let n = 0; n < BOTS; n += 1) bots.push(await memberBot(url, workspace, n));
  return [
    ...decided,
    await created(url, workspace, { bots: bots.slice(0, 1), seconds, target: '' }),
    await created(url, workspace, { bots, seconds, target: '>= 200/s' }),
  ];
}

async function decide(url, { owner, token, channels }, count) {
  const socket = await readDirectEvents(url, token, (type, data) =>
    type === 'approval.decided' ? data.approval.id : undefined,
  );
  const ids = [];
  for (let n = 0; n < count; n += 1)
    ids.push((await json(url, 'POST', '/api/v1/bot/approvals', token, approvalIn(channels, n))).approval.id);
  /** @type {number[]} */
  const events = [];
  /** @type {number[]} */
  const waits = [];
  /** @type {number[]} */
  const floor = [];
  await atRate(ids, DECISIONS_PER_SECOND, async (id) => {
    const waiting = json(url, 'GET', `/api/v1/bot/approvals/${id}?wait=25`, token).then(({ approval }) => {
      if (approval.state !== 'approved') throw new Error(`an approval is ${approval.state}`);
      return performance.now();
    });
    // The wait has begun when another request that was sent after it has been answered.
    await json(url, 'GET', `/api/v1/bot/approvals/${id}`, token);
    const begun = performance.now();
    await json(url, 'POST', `/api/v1/client/approvals/${id}/decide`, owner, { option_id: 'approve' });
    floor.push(performance.now() - begun);
    waits.push((await waiting) - begun);
    events.push((await socket.arrival(id)) - begun);
  });
  socket.close();
  return [
    p99Row('from a decision to the event of the bot', events, floor, 'its response', '<= 300 ms'),
    p99Row('from a decision to the bot that waits for it', waits, floor, 'its response', '<= 300 ms'),
  ];
}

/** Beside messages of the same bots, which an approval posts one of. */
async function created(url, { channels }, { bots, seconds, target }) {
  const headersOf = (n) => ({
    authorization: `Bearer ${bots[n % bots.length].token}`,
    'content-type': 'application/json',
  });
  const options = { origin: url, concurrency: CALLERS, seconds, total: MAX_PENDING * bots.length };
  const message = (n) => ({ conversation_id: channels[n % channels.length], content: `a message ${n}` });
  const floor = await closedLoop({
    ...options,
    request: (n) => ({
      path: '/api/v1/bot/messages',
      headers: headersOf(n),
      body: JSON.stringify(message(n)),
    }),
  });
  const ours = await closedLoop({
    ...options,
    request: (n) => ({
      path: '/api/v1/bot/approvals',
      headers: headersOf(n),
      body: JSON.stringify(approvalIn(channels, n)),
    }),
  });
  if (ours.failures > 0) throw new Error(`${ours.failures} approvals were refused`);
  const shown = ({ perSecond, p99 }) => `${Math.round(perSecond)}/s, p99 ${p99.toFixed(1)} ms`;
  return {
    row: `approvals created by ${bots.length === 1 ? 'one bot' : `${bots.length} bots`}`,
    ours: shown(ours),
    floor: `messages ${shown(floor)}`,
    ratio: ours.perSecond / floor.perSecond,
    target,
  };
}

async function memberBot(url, { owner, channels }, n) {
  const { bot, token } = await createBot(url, owner, `bench ${n}`);
  for (const channel of channels) {
    const body = { member_id: bot.id };
    await json(url, 'POST', `/api/v1/client/conversations/${channel}/members`, owner, body);
  }
  return { token };
}

const approvalIn = (channels, n) => ({
  conversation_id: channels[n % channels.length],
  title: `Deploy ${n} to production?`,
  tool: 'deploy',
  arguments: { version: `v${n}`, target: 'production' },
  external_id: `bench-${n}`,
});
