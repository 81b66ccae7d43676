// The effect of one space's flood on another space, whose events must not wait for it.
import { ages } from './ages.mjs';
import { promised } from './promises.mjs';
import { openLoop } from './load.mjs';
import { startScript } from '../product.mjs';
import { createWorkspace, subscribe } from '../world.mjs';
import { messageRequest } from './rows.mjs';

const PER_SECOND = 50;
const SUBSCRIPTIONS = 300;
const SLOW_MS = 2000;

/**
 * (f) from an event's commit to the receiver's request beside a free space with 300 subscriptions
 * whose receivers take two seconds, which has just posted `messages` times; the floor is without
 * the flood. The target is the ratio of the p99s.
 */
export async function flood(product, { seconds, messages }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const slow = await startScript('tools/qa/bench/receiver.mjs', [String(SLOW_MS)], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const worker = await product.start('worker');
  const calm = await createWorkspace(api.url, 20);
  for (const channel of calm.channels) await subscribe(api.url, calm, receiverUrl, channel);
  const flooding = await createWorkspace(api.url, 1, 'free');
  for (let n = 0; n < SUBSCRIPTIONS; n += 1)
    await subscribe(api.url, flooding, `http://127.0.0.1:${slow.info.port}`, flooding.channels[0]);
  const request = messageRequest(calm, 'beside a flood');
  const timed = () => ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds, request });
  await timed();
  const quiet = await timed();
  await openLoop({
    origin: api.url,
    perSecond: 500,
    seconds: messages / 500,
    request: messageRequest(flooding, 'flood'),
  });
  const beside = await timed();
  await worker.stop();
  await api.stop();
  await Promise.all([receiver.stop(), slow.stop()]);
  return {
    row: `commit to receiver at ${PER_SECOND}/s beside ${messages * SUBSCRIPTIONS} deliveries of another space`,
    ours: `p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms`,
    floor: `without them p50 ${quiet.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} ms`,
    ratio: quiet.p99 / beside.p99,
    target: promised('flood'),
  };
}
