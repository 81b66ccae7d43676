// The effect of one space's work on another space, whose events must not wait for it.
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from '../calls.mjs';
import { startScript } from '../product.mjs';
import { createIncomingWebhooks, createWorkspace, subscribe } from '../world.mjs';
import { ages } from './ages.mjs';
import { signedRequest } from './incoming-rows.mjs';
import { closedLoop, median, openLoop } from './load.mjs';
import { fillLog, RATES, startRecovery } from './recover-rows.mjs';
import { messageRequest, waitUntil } from './rows.mjs';

const PER_SECOND = 50;
const CHANNELS = 20;
/** So many that no alert exceeds the rate of its webhook. */
const WEBHOOKS = 200;
const IMPORTING = 8;

/**
 * (f) beside a space that gets `alerts` critical alerts, each of which notifies people and goes to
 * a subscription.
 */
export function besideAlerts(product, { alerts, seconds, rounds }) {
  return beside(product, {
    seconds,
    rounds,
    what: `${alerts} critical alerts`,
    async prepare(url, noisy) {
      const webhooks = await createIncomingWebhooks(url, noisy, WEBHOOKS);
      const request = signedRequest(webhooks, 'critical');
      return () => accepted(openLoop({ origin: url, perSecond: alerts / seconds, seconds, request }));
    },
  });
}

/** (f) beside a space whose app always waits for eight answers, at no rate. */
export function besideImport(product, { seconds, rounds }) {
  return beside(product, {
    seconds,
    rounds,
    what: 'an import of messages',
    async prepare(url, noisy) {
      const request = messageRequest(noisy, 'imported');
      return () => accepted(closedLoop({ origin: url, concurrency: IMPORTING, seconds, request }));
    },
  });
}

/** (f) beside a recovery of `deliveries` at no rate but that of the machine. */
export async function besideRecovery(product, { deliveries, seconds, rounds }) {
  product.env[RATES] = '100000,100000,100000';
  const db = new pg.Pool({ connectionString: product.postgres.url, max: 2 });
  return beside(product, {
    seconds,
    rounds,
    what: `a recovery of ${deliveries} deliveries`,
    async prepare(url, noisy) {
      const [id] = noisy.subscriptions;
      await fillLog(db, url, { ...noisy, id, deliveries });
      return async () => {
        const recovery = await startRecovery(url, { ...noisy, id });
        await sleep(seconds * 1000);
        const path = `/api/v1/admin/recoveries/${recovery.id}`;
        const { done } = (await json(url, 'GET', path, noisy.owner)).recovery;
        await json(url, 'DELETE', path, noisy.owner);
        await waitUntil(async () => (await db.query('SELECT 1 FROM delivery_queue LIMIT 1')).rowCount === 0);
        return done;
      };
    },
  }).finally(() => db.end());
}

/**
 * Measures from an event's commit to the receiver's request, in turns beside the work of another
 * space and without it. The ratio is that of the p99s; no promise yet.
 */
async function beside(product, { seconds, rounds, what, prepare }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const other = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const [receiverUrl, otherUrl] = [receiver, other].map(({ info }) => `http://127.0.0.1:${info.port}`);
  const api = await product.start('api');
  const worker = await product.start('worker');
  const calm = await subscribedWorkspace(api.url, receiverUrl);
  const work = await prepare(api.url, await subscribedWorkspace(api.url, otherUrl));
  const request = messageRequest(calm, `beside ${what}`);
  const timed = () => ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds, request });
  await timed();
  const alone = [];
  const busy = [];
  /** @type {number[]} */
  const rates = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await timed());
    const [measured, done] = await Promise.all([timed(), work()]);
    if (done === 0) throw new Error(`there was no ${what}`);
    busy.push(measured);
    rates.push(done / seconds);
  }
  await worker.stop();
  await api.stop();
  await Promise.all([receiver.stop(), other.stop()]);
  const p = (results, name) => median(results.map((result) => result[name])).toFixed(1);
  return {
    row: `commit to receiver at ${PER_SECOND}/s beside ${what} of another space`,
    ours: `p50 ${p(busy, 'p50')} ms, p99 ${p(busy, 'p99')} ms beside ${Math.round(median(rates))}/s`,
    floor: `without it p50 ${p(alone, 'p50')} ms, p99 ${p(alone, 'p99')} ms`,
    ratio: median(busy.map(({ p99 }, round) => alone[round].p99 / p99)),
    target: 'at least 0.33 on an idle machine',
  };
}

/** Creates a workspace whose channels each have a subscription. */
async function subscribedWorkspace(url, receiverUrl) {
  const workspace = await createWorkspace(url, CHANNELS);
  /** @type {string[]} */
  const subscriptions = [];
  for (const channel of workspace.channels)
    subscriptions.push(await subscribe(url, workspace, receiverUrl, channel));
  return { ...workspace, subscriptions };
}

/** @param {Promise<{ failures: number, total: number }>} load @returns how many were accepted */
async function accepted(load) {
  const { failures, total } = await load;
  if (failures > 0) throw new Error(`${failures} requests were refused`);
  return total;
}
