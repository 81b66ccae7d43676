import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@tieline/testing';
import type { AppProcess, Receiver } from '@tieline/testing';
import { eventsOf, firstAttempts, makeWorkspace, post, subscribe, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

let tieline: Tieline;

beforeAll(async () => {
  tieline = await Tieline.create();
});
afterAll(() => tieline?.close());

const PER_SECOND = 200;
const EVENTS = 2000;

/**
 * So many posts may be without an answer, and so many events not yet with the healthy receivers. Sender and receivers share this process: on a
 * machine that can't carry the rate, deliveries time out because the receivers are not let to answer, and breakers open.
 */
const OPEN = 64;

/**
 * Posts at a steady rate, or as fast as posts are answered and healthy receivers reached.
 * @returns how long it took, in milliseconds
 */
async function postSteadily(api: AppProcess, workspace: Workspace, healthy: Receiver): Promise<number> {
  const [begun, before] = [Date.now(), healthy.requests.length];
  let posted = 0;
  const underWay = (): number => posted - Math.floor(posted / 10) - (healthy.requests.length - before);
  const postNext = async (): Promise<void> => {
    while (posted < EVENTS) {
      const n = posted;
      posted += 1;
      const early = begun + (n * 1000) / PER_SECOND - Date.now();
      if (early > 0) await sleep(early);
      await eventually(() => underWay() < 2 * OPEN, { timeoutMs: 60_000, everyMs: 10 });
      await post(api, workspace, `event ${n}`, workspace.channels[n % 20]);
    }
  };
  await Promise.all(Array.from({ length: OPEN }, postNext));
  return Date.now() - begun;
}

/** From the commit to the receiver, of those deliveries that came after the first `skipped`. */
function p99(receiver: Receiver, skipped = 0): number {
  const requests = firstAttempts(receiver);
  const occurred = eventsOf({ requests }).map((event) => Date.parse(event.occurred_at));
  const ages = requests.map((request, n) => request.at - (occurred[n] ?? 0)).slice(skipped);
  return ages.sort((a, b) => a - b)[Math.floor(ages.length * 0.99)] ?? Infinity;
}

test('with 10 % of the receivers hanging, the healthy ones get everything, and as fast as without: p99 under 1 s at 200 events per second', async () => {
  const api = await tieline.start('api');
  await tieline.start('worker');
  const workspace = await makeWorkspace(api, { channels: 20 });
  const healthy = await tieline.receiver();
  const others = await tieline.receiver();
  for (const [n, channel] of workspace.channels.entries()) {
    await subscribe(api, workspace, n % 10 === 9 ? others.url : healthy.url, { channel_ids: [channel] });
  }
  const [toHealthy, toOthers] = [EVENTS * 0.9, EVENTS * 0.1];
  const quiet = await postSteadily(api, workspace, healthy);
  await eventually(
    () =>
      expect([firstAttempts(healthy).length, firstAttempts(others).length]).toEqual([toHealthy, toOthers]),
    { timeoutMs: 20_000 },
  );
  const floor = p99(healthy);

  others.respond('hang');
  expect(await postSteadily(api, workspace, healthy)).toBeLessThan(2 * quiet);
  await eventually(() => expect(firstAttempts(healthy)).toHaveLength(2 * toHealthy), { timeoutMs: 20_000 });
  expect(await tieline.unexplainedAttempts(healthy)).toEqual([]);
  expect(firstAttempts(others).length).toBeGreaterThan(toOthers);
  // Only a machine that needs more than half a second with no receiver hanging is given more than one.
  expect(p99(healthy, toHealthy)).toBeLessThan(Math.max(1000, 2 * floor));
});
