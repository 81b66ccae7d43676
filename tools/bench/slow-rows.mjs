// What a space whose receivers are all slow costs another: its deliveries must not wait for those
// receivers.
import { ages } from './ages.mjs';
import { openLoop } from './load.mjs';
import { makeWorkspace, startScript, subscribe } from './product.mjs';
import { messageRequest } from './rows.mjs';

const PER_SECOND = 20;
const RECEIVERS = 300;
const SLOW_MS = [1000, 4000];

/**
 * (f) from an event's commit to the receiver's request while a space with 300 slow receivers, each
 * with a port of its own, posts `messages` times; the floor is without it. The target is the ratio
 * of the p99s.
 */
export async function slowSpace(product, { seconds, messages }) {
  const receiver = await startScript('tools/bench/receiver.mjs', [], {});
  const slow = await startScript('tools/bench/receiver.mjs', [SLOW_MS.join('-'), String(RECEIVERS)], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const worker = await product.start('worker');
  const calm = await makeWorkspace(api.url, 1);
  await subscribe(api.url, calm, receiverUrl, calm.channels[0]);
  const slowed = await makeWorkspace(api.url, 1);
  for (const port of slow.info.ports)
    await subscribe(api.url, slowed, `http://127.0.0.1:${port}`, slowed.channels[0]);
  const request = messageRequest(calm, 'beside slow receivers');
  const timed = () => ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds, request });
  await timed();
  const idle = await timed();
  const [beside] = await Promise.all([
    timed(),
    openLoop({
      origin: api.url,
      perSecond: messages / seconds,
      seconds,
      request: messageRequest(slowed, 'to slow receivers'),
    }),
  ]);
  const after = await timed();
  await worker.stop();
  await api.stop();
  await Promise.all([receiver.stop(), slow.stop()]);
  return {
    row: `commit to receiver at ${PER_SECOND}/s while ${messages} messages go to ${RECEIVERS} slow receivers of another space`,
    ours: `p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms; afterwards p99 ${after.p99.toFixed(1)} ms`,
    floor: `without them p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms`,
    ratio: idle.p99 / Math.max(beside.p99, after.p99),
    target: 0.33,
  };
}
