// (i) Incoming webhooks: signed posts from many concurrent senders.
import { createHmac } from 'node:crypto';
import { closedLoop, median } from './load.mjs';
import { promised } from './promises.mjs';
import { startScript } from '../product.mjs';
import { createIncomingWebhooks, createWorkspace } from '../world.mjs';

const CONCURRENCY = 64;
const CHANNELS = 200;
/**
 * So many that the load of a run stays below what the plan allows each of them (30 per second),
 * which is counted all the same.
 */
const WEBHOOKS = 600;

/**
 * Durable messages per second by signed posts to incoming webhooks, against bare Fastify + pg
 * running one prepared CTE.
 */
export async function incoming(product, { rounds, seconds }) {
  const api = await product.start('api');
  const workspace = await createWorkspace(api.url, CHANNELS);
  const request = signedRequest(await createIncomingWebhooks(api.url, workspace, WEBHOOKS));
  const floor = await startScript('tools/qa/bench/floor-messages.mjs', [], {
    DATABASE_URL: product.postgres.url,
  });
  const body = JSON.stringify({ content: 'a message of the bench' });
  const floorRequest = () => ({ path: '/messages', headers: { 'content-type': 'application/json' }, body });
  /** @type {import('./load.mjs').LoadResult[]} */
  const ours = [];
  /** @type {import('./load.mjs').LoadResult[]} */
  const theirs = [];
  for (let round = -1; round < rounds; round += 1) {
    const load = { concurrency: CONCURRENCY, seconds: round < 0 ? 2 : seconds };
    const floorRun = await closedLoop({
      ...load,
      origin: `http://127.0.0.1:${floor.info.port}`,
      request: floorRequest,
    });
    const run = await closedLoop({ ...load, origin: api.url, request });
    if (run.failures > 0) throw new Error(`${run.failures} requests were refused`);
    if (round < 0) continue;
    theirs.push(floorRun);
    ours.push(run);
  }
  await floor.stop();
  await api.stop();
  const show = (runs) =>
    `${Math.round(median(runs.map((r) => r.perSecond)))}/s, p99 ${median(runs.map((r) => r.p99)).toFixed(1)} ms`;
  return {
    row: 'signed posts to incoming webhooks/s',
    ours: show(ours),
    floor: show(theirs),
    ratio: median(ours.map((run, i) => run.perSecond / theirs[i].perSecond)),
    target: promised('incoming'),
  };
}

/** Returns requests that post to the webhooks in turn. */
export function signedRequest(webhooks, severity = 'info') {
  return (n) => {
    const { token, secret } = webhooks[n % webhooks.length];
    const body = JSON.stringify({ text: `a message of the bench ${n}`, severity });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
    return {
      path: `/api/v1/webhooks/incoming/${token}`,
      headers: {
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': signature,
      },
      body,
    };
  };
}
