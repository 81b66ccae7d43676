import { eventually } from '@tieline/testing';
import { LANES } from '../claims/claim-deliveries.js';
import { delivered, delivery, laneOver, turn } from '../../testing/lane-rig.js';
import { LaneGroup } from './lane-group.js';

/** A group whose first lane sends until `end`, and whose second lane has ended. */
async function groupWithEndedLane() {
  let end: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => (end = resolve));
  const first = laneOver([[delivery('long')]], {
    prepare: (batch) =>
      Promise.resolve(
        batch.map((one) => ({ delivery: one, attempt: () => sent.then(() => delivered(one)) })),
      ),
  });
  const second = laneOver([]);
  const group = new LaneGroup([first.lane, second.lane]);
  const running = group.run(new AbortController().signal);
  await eventually(() => expect(second.lane.isRunning).toBe(false));
  expect([first.lane.busy, second.claims.length]).toEqual([1, 1]);
  const runOut = async (): Promise<void> => {
    end();
    await group.stop();
    await running;
  };
  return { group, second, runOut };
}

const claimsEnd = async (): Promise<void> => {
  for (let turns = 0; turns < 50; turns += 1) await turn();
};

it('a lane that is woken every two seconds ends when it finds nothing, so lanes do not keep each other running', async () => {
  const { group, second, runOut } = await groupWithEndedLane();
  group.wake();
  await claimsEnd();
  expect([second.claims.length, second.lane.isRunning]).toEqual([2, false]);
  await runOut();
});

it('a lane that new work has started stays ready for more', async () => {
  const { group, second, runOut } = await groupWithEndedLane();
  group.wake(new Map([[LANES.first, { targets: new Map(), areAll: false }]]));
  await claimsEnd();
  expect([second.claims.length, second.lane.isRunning]).toEqual([2, true]);
  await runOut();
});
