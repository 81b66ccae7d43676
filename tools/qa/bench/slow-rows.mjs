// Measures how long one space's deliveries take while another space's receivers are all slow.
import { ages } from './ages.mjs';
import { promised } from './promises.mjs';
import { openLoop } from './load.mjs';
import { startScript } from '../product.mjs';
import { createWorkspace, subscribe } from '../world.mjs';
import { messageRequest } from './rows.mjs';

const PER_SECOND = 20;
const RECEIVERS = 300;
const SLOW_MS = [1000, 4000];

/**
 * (f) from an event's commit to the receiver's request while a space with 300 slow receivers, each
 * with its own port, posts `messages` messages, and afterwards. The floor is the same number of
 * messages to a channel without receivers: what the api, the database and the load itself cost on
 * these cores. The target is the ratio of the p99s.
 */
export async function slowSpace(product, { seconds, messages }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const slow = await startScript('tools/qa/bench/receiver.mjs', [SLOW_MS.join('-'), String(RECEIVERS)], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const worker = await product.start('worker');
  const calm = await createWorkspace(api.url, 1);
  await subscribe(api.url, calm, receiverUrl, calm.channels[0]);
  const slowed = await createWorkspace(api.url, 2);
  const [withReceivers, withoutReceivers] = slowed.channels;
  for (const port of slow.info.ports)
    await subscribe(api.url, slowed, `http://127.0.0.1:${port}`, withReceivers);
  const request = messageRequest(calm, 'beside slow receivers');
  const timed = () => ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds, request });
  const timedBeside = async (channel) => {
    const posts = openLoop({
      origin: api.url,
      perSecond: messages / seconds,
      seconds,
      request: messageRequest({ ...slowed, channels: [channel] }, 'to slow receivers'),
    });
    const [measured] = await Promise.all([timed(), posts]);
    return measured;
  };
  await timed();
  const idle = await timed();
  const floor = await timedBeside(withoutReceivers);
  const beside = await timedBeside(withReceivers);
  const after = await timed();
  await worker.stop();
  await api.stop();
  await Promise.all([receiver.stop(), slow.stop()]);
  return {
    row: `commit to receiver at ${PER_SECOND}/s while ${messages} messages go to ${RECEIVERS} slow receivers of another space`,
    ours: `p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms; afterwards p99 ${after.p99.toFixed(1)} ms`,
    floor: `the same messages without receivers p50 ${floor.p50.toFixed(1)} ms, p99 ${floor.p99.toFixed(1)} ms; alone p99 ${idle.p99.toFixed(1)} ms`,
    ratio: Math.min(floor.p99 / beside.p99, idle.p99 / after.p99),
    target: promised('slow'),
  };
}
