// The effect of one space's alerts on another space, whose events must not wait for them.
import { ages } from './ages.mjs';
import { signedRequest } from './incoming-rows.mjs';
import { median, openLoop } from './load.mjs';
import { startScript } from '../product.mjs';
import { createIncomingWebhooks, createWorkspace, subscribe } from '../world.mjs';
import { messageRequest } from './rows.mjs';

const PER_SECOND = 50;
/** So many that none exceeds its rate. */
const WEBHOOKS = 200;

/**
 * (f) from an event's commit to the receiver's request beside a space that gets `alerts` critical
 * alerts, each of which notifies people and goes to a subscription. The floor is without them. The
 * ratio is that of the p99s; no promise yet, because it was only measured on a busy machine.
 */
export async function alertFlood(product, { seconds, rounds, alerts }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const other = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const worker = await product.start('worker');
  const calm = await createWorkspace(api.url, 20);
  for (const channel of calm.channels) await subscribe(api.url, calm, receiverUrl, channel);
  const noisy = await createWorkspace(api.url, 20);
  for (const channel of noisy.channels)
    await subscribe(api.url, noisy, `http://127.0.0.1:${other.info.port}`, channel);
  const webhooks = await createIncomingWebhooks(api.url, noisy, WEBHOOKS);
  const request = messageRequest(calm, 'beside alerts');
  const timed = () => ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds, request });
  const alert = signedRequest(webhooks, 'critical');
  const load = { origin: api.url, perSecond: alerts / seconds, seconds, request: alert };
  await timed();
  const alone = [];
  const beside = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await timed());
    const [measured, { failures }] = await Promise.all([timed(), openLoop(load)]);
    if (failures > 0) throw new Error(`${failures} alerts were refused`);
    beside.push(measured);
  }
  await worker.stop();
  await api.stop();
  await Promise.all([receiver.stop(), other.stop()]);
  const p = (results, name) => median(results.map((result) => result[name]));
  return {
    row: `commit to receiver at ${PER_SECOND}/s beside ${alerts} critical alerts of another space`,
    ours: `p50 ${p(beside, 'p50').toFixed(1)} ms, p99 ${p(beside, 'p99').toFixed(1)} ms`,
    floor: `without them p50 ${p(alone, 'p50').toFixed(1)} ms, p99 ${p(alone, 'p99').toFixed(1)} ms`,
    ratio: median(beside.map(({ p99 }, round) => alone[round].p99 / p99)),
    target: 'at least 0.33 on an idle machine',
  };
}
