import { jest } from '@jest/globals';
import { eventually } from '@tieline/testing';
import type { ClaimedDelivery, Result } from '../delivery.types.js';
import { LANES } from '../claims/claim-deliveries.js';
import { delivered, delivery, laneOver, runOut, turn } from '../../testing/lane-rig.js';
import { DeliveryLane } from './delivery-lane.js';
import type { LaneClaim } from './lane-parts.js';

it('an error while preparing frees each place once', async () => {
  const { lane, failures } = laneOver([[delivery('a'), delivery('b')]], {
    prepare: () => Promise.reject(new Error('targets could not be read')),
  });
  await runOut(lane);
  expect(lane.busy).toBe(0);
  expect(failures).toEqual([new Error('targets could not be read')]);
});

it('a worker that stood still sends only deliveries it still leases', async () => {
  let stoodMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => stoodMs);
  const sent: string[] = [];
  const settled: string[] = [];
  const { lane, failures } = laneOver([[delivery('held'), delivery('lost')]], {
    prepare: (batch) => {
      stoodMs = 6_000;
      return Promise.resolve(
        batch.map((one) => ({
          delivery: one,
          attempt: () => {
            sent.push(one.id);
            return Promise.resolve(delivered(one));
          },
        })),
      );
    },
    renew: ({ id }) => Promise.resolve(id === 'held'),
    settle: (result) => Promise.resolve(void settled.push(result.delivery.id)),
  });
  await runOut(lane);
  clock.mockRestore();
  expect([sent, settled, failures]).toEqual([['held'], ['held'], []]);
  expect(lane.busy).toBe(0);
});

it('a worker that stands still while renewing a lease renews it again', async () => {
  let stoodMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => stoodMs);
  const [asked, sent]: [string[], string[]] = [[], []];
  const { lane } = laneOver([[delivery('held'), delivery('lost')]], {
    prepare: (batch) => {
      stoodMs = 6_000;
      return Promise.resolve(
        batch.map((one) => ({
          delivery: one,
          attempt: () => {
            sent.push(one.id);
            return Promise.resolve(delivered(one));
          },
        })),
      );
    },
    renew: ({ id }) => {
      const isAgain = asked.includes(id);
      asked.push(id);
      if (!isAgain) stoodMs += 14_000;
      // By then another worker has taken one of them.
      return Promise.resolve(id === 'held' || !isAgain);
    },
  });
  await runOut(lane);
  clock.mockRestore();
  expect(asked.filter((id) => id === 'lost')).toHaveLength(2);
  expect(sent).toEqual(['held']);
});

it('a worker that stood still while an attempt waited for its connection sends it only if it still leases it', async () => {
  let stoodMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => stoodMs);
  const [sent, settled]: [string[], string[]] = [[], []];
  const { lane } = laneOver([[delivery('held'), delivery('lost')]], {
    prepare: (batch) =>
      Promise.resolve(
        batch.map((one) => ({
          delivery: one,
          attempt: async (sendBy) => {
            await turn();
            stoodMs = Math.max(stoodMs, 6_000);
            if (stoodMs >= sendBy) return { ...delivered(one), isTooLate: true };
            sent.push(one.id);
            return delivered(one);
          },
        })),
      ),
    renew: ({ id }) => Promise.resolve(id === 'held'),
    settle: (result) => Promise.resolve(void settled.push(result.delivery.id)),
  });
  await runOut(lane);
  clock.mockRestore();
  expect([sent, settled]).toEqual([['held'], ['held']]);
  expect(lane.busy).toBe(0);
});

it('an attempt whose connection is too slow twice has failed', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const settled: Result[] = [];
  let tries = 0;
  const { lane } = laneOver([[delivery('a')]], {
    prepare: (batch) =>
      Promise.resolve(
        batch.map((one) => ({
          delivery: one,
          attempt: (sendBy) => {
            tries += 1;
            now = sendBy;
            return Promise.resolve({ ...delivered(one), isTooLate: true });
          },
        })),
      ),
    settle: (result) => Promise.resolve(void settled.push(result)),
  });
  await runOut(lane);
  clock.mockRestore();
  expect([tries, settled.length]).toEqual([2, 1]);
});

it('a freshly claimed delivery is sent without renewing its lease', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const sent: string[] = [];
  const { lane } = laneOver([[delivery('a')]], {
    renew: () => Promise.resolve(false),
    settle: (result) => Promise.resolve(void sent.push(result.delivery.id)),
  });
  await runOut(lane);
  clock.mockRestore();
  expect(sent).toEqual(['a']);
});

it('an attempt that throws after others have ended frees each place once', async () => {
  const { lane, failures } = laneOver([[delivery('a'), delivery('b'), delivery('c')]], {
    prepare: (batch) =>
      Promise.resolve(
        batch.map((one) => ({
          delivery: one,
          attempt: async () => {
            if (one.id !== 'b') return delivered(one);
            await turn();
            throw new Error('no secret');
          },
        })),
      ),
  });
  await runOut(lane);
  expect(lane.busy).toBe(0);
  expect(failures).toEqual([new Error('no secret')]);
});

it('a result that could not be written frees its place', async () => {
  const { lane, failures } = laneOver([[delivery('a')]], { settle: () => Promise.reject(new Error('away')) });
  await runOut(lane);
  expect([lane.busy, failures.length]).toEqual([0, 1]);
});

it('a claim gets the attempts in flight per target and the places per space', async () => {
  const release: (() => void)[] = [];
  const { lane, claims } = laneOver([[delivery('a', 'one'), delivery('b', 'one'), delivery('c', 'two')]], {
    prepare: (batch) =>
      Promise.resolve(
        batch.map((one) => ({
          delivery: one,
          attempt: () => new Promise((resolve) => release.push(() => resolve(delivered(one)))),
        })),
      ),
  });
  const run = lane.run();
  await turn();
  for (let turns = 0; claims.length < 2; turns += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(claims[1]).toMatchObject({
    limit: 5,
    inFlight: new Map([
      ['one', 2],
      ['two', 1],
    ]),
    places: new Map([['space', 3]]),
  });
  for (const end of release) end();
  while (lane.busy > 0) await turn();
  const before = claims.length;
  lane.wake();
  while (claims.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(claims.at(-1)?.places).toEqual(new Map());
  lane.end();
  await run;
  expect(lane.busy).toBe(0);
});

it('a retry schedules a wake-up, and a delivery over its rate does not', async () => {
  const at = new Date();
  const outcomes: Result['outcome'][] = [
    { kind: 'retry', at, error: '500' },
    { kind: 'postponed', at },
  ];
  const { lane, due } = laneOver([[delivery('a'), delivery('b')]], {
    prepare: (batch) =>
      Promise.resolve(
        batch.map((one, index) => ({
          delivery: one,
          attempt: () => Promise.resolve({ delivery: one, outcome: outcomes[index] as Result['outcome'] }),
        })),
      ),
  });
  await runOut(lane);
  expect(due).toEqual([[LANES.retry, at]]);
});

it('claims keep a distance while attempts are under way, and an idle lane claims immediately', async () => {
  let release: () => void = () => undefined;
  const held = (one: ClaimedDelivery) =>
    new Promise<Result>((resolve) => (release = () => resolve(delivered(one))));
  const batches = [[delivery('a')]];
  const claimed: number[] = [];
  const claims = async (count: number): Promise<void> => {
    while (claimed.length < count) await turn();
  };
  const { lane } = laneOver([], {
    claim: () => {
      claimed.push(performance.now());
      return Promise.resolve({ deliveries: batches.shift() ?? [], lastTarget: undefined, isLimited: true });
    },
    prepare: (batch) => Promise.resolve(batch.map((one) => ({ delivery: one, attempt: () => held(one) }))),
  });
  const run = lane.run();
  // The claim found something, so the next one follows, but not immediately.
  await claims(2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(lane.busy).toBe(1);
  lane.wake();
  await turn();
  expect(claimed).toHaveLength(3);
  lane.wake();
  await claims(4);
  const [first = 0, second = 0, third = 0, fourth = 0] = claimed;
  // Timers have a resolution of a millisecond.
  expect(second - first).toBeGreaterThan(2);
  expect(fourth - third).toBeGreaterThan(2);
  release();
  lane.end();
  await run;
});

/** Makes `performance.now()` advance by at most `mostMs` between two readings. */
function clockWithoutStops(mostMs: number) {
  const now = performance.now.bind(performance);
  let [readAt, shown] = [now(), 0];
  return jest.spyOn(performance, 'now').mockImplementation(() => {
    const passed = now() - readAt;
    readAt += passed;
    return (shown += Math.min(passed, mostMs));
  });
}

/**
 * A lane with 100 places, of which the space `flood` has 64. Walks never reach the end.
 * @param claiming called during each claim
 */
async function floodedLane(claiming: (request: LaneClaim) => void = () => undefined) {
  const claims: LaneClaim[] = [];
  const walks: { begunAt: number; endedAt: number }[] = [];
  const flood = Array.from({ length: 64 }, (_, n) => delivery(`${n}`, `${n}`, 'flood'));
  const batches = [flood];
  const ends: (() => void)[] = [];
  const lane = new DeliveryLane(
    LANES.first,
    { capacity: 100, perTarget: 4 },
    {
      claim: async (request) => {
        claims.push({ ...request, places: new Map(request.places) });
        const begunAt = performance.now();
        await turn();
        claiming(request);
        if (!request.only) walks.push({ begunAt, endedAt: performance.now() });
        const only = [...(request.only ?? [])].map(([target, space]) => delivery('new', target, space));
        return request.only
          ? { deliveries: only, lastTarget: undefined, isLimited: true }
          : { deliveries: batches.shift() ?? [], lastTarget: 'more', isLimited: true };
      },
      prepare: (batch) =>
        Promise.resolve(
          batch.map((one) => ({
            delivery: one,
            attempt: () => new Promise((resolve) => ends.push(() => resolve(delivered(one)))),
          })),
        ),
      renew: () => Promise.resolve(true),
      settle: () => Promise.resolve(),
      failed: () => undefined,
      due: () => undefined,
    },
  );
  const run = lane.run();
  while (ends.length < 64) await turn();
  const stop = async (): Promise<void> => {
    lane.end();
    while (lane.busy > 0) {
      for (const end of ends.splice(0)) end();
      await turn();
    }
    await run;
  };
  return { lane, claims, walks, stop };
}

it('in a lane that a noisy space has filled, deliveries of a space with few places are claimed by target immediately', async () => {
  const { lane, claims, stop } = await floodedLane();
  const begun = claims.length;
  // The clock stands still, so after at most one walk that is already due there is no other.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    for (let n = 0; n < 8; n += 1) {
      lane.wake({ targets: new Map([[`calm ${n}`, 'calm']]), areAll: true });
      await eventually(() => claims.some(({ only }) => only?.has(`calm ${n}`)), { everyMs: 1 });
    }
    expect(claims.slice(begun).filter(({ only }) => !only).length).toBeLessThan(2);
    expect(claims.flatMap(({ only }) => [...(only?.values() ?? [])])).not.toContain('flood');
    expect(lane.isFilledBy('flood')).toBe(true);
    expect(lane.isFilledBy('calm')).toBe(false);
  } finally {
    clock.mockRestore();
    await stop();
  }
});

it('in a lane that a noisy space has filled, a failed claim by target is repeated', async () => {
  let failures = 0;
  const { lane, claims, stop } = await floodedLane(({ only }) => {
    if (only && (failures += 1) === 1) throw new Error('the connection was lost');
  });
  // The clock stands still, so that no walk is due.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  lane.wake({ targets: new Map([['calm target', 'calm']]), areAll: true });
  await eventually(() => expect(claims.filter(({ only }) => only?.has('calm target'))).toHaveLength(2));
  clock.mockRestore();
  await stop();
});

it.each([2.2, 7, 8])(
  'a walk that becomes due between two readings of the clock, %d ms apart, still happens',
  async (stepMs) => {
    const { lane, claims, stop } = await floodedLane();
    let nowMs = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += stepMs));
    try {
      const walks = claims.length;
      const giveUpAt = Date.now() + 60_000;
      while (claims.length < walks + 2 && Date.now() < giveUpAt) await turn();
      expect(claims.length).toBeGreaterThanOrEqual(walks + 2);
      expect(lane.busy).toBe(64);
    } finally {
      clock.mockRestore();
      await stop();
    }
  },
);

it('in a lane that a noisy space has filled, a pause of three times its duration follows each walk, and other spaces are claimed by target during it', async () => {
  const now = performance.now.bind(performance);
  let addedMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + addedMs);
  const { lane, claims, walks, stop } = await floodedLane(({ only }) => (addedMs += only ? 0 : 100));
  try {
    const before = walks.length;
    const isCalmClaimed = (): boolean =>
      claims.some(({ only }) => [...(only?.values() ?? [])].includes('calm'));
    // On a busy machine a walk may come before each of several wake-ups.
    for (let n = 0; walks.length < before + 2 || !isCalmClaimed(); n += 1) {
      if (!isCalmClaimed()) lane.wake({ targets: new Map([[`calm ${n}`, 'calm']]), areAll: true });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const [first = { endedAt: 0 }, second = { begunAt: 0 }] = walks.slice(before);
    // Timers have a resolution of a millisecond.
    expect(second.begunAt - first.endedAt).toBeGreaterThan(298);
  } finally {
    clock.mockRestore();
    await stop();
  }
});

it('deliveries of the space that fills the lane wait for a walk, and walks continue between claims by target', async () => {
  const { lane, claims, stop } = await floodedLane();
  lane.wake({ targets: new Map([['0', 'flood']]), areAll: true });
  const walks = (): number => claims.filter(({ only }) => !only).length;
  for (let n = 0; walks() < 5 || claims.length - walks() < 2; n += 1) {
    if (n % 2 === 0 && lane.busy < 85) lane.wake({ targets: new Map([[`calm ${n}`, 'calm']]), areAll: true });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await stop();
  expect(claims.flatMap(({ only }) => [...(only?.values() ?? [])])).not.toContain('flood');
});

it.each([
  ['beside another space', 'other', 4],
  ['of a space that is alone', 'space', 64],
])('attempts of a large batch %s start a few at a time', async (_, spaceId, atMost) => {
  // A space stays active for a second.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const begun: number[] = [];
  let turns = 0;
  const batch = Array.from({ length: 150 }, (_one, n) => delivery(`${n}`));
  const { lane } = laneOver([[...batch, delivery('last', 'target', spaceId)]], {
    prepare: (claimed) =>
      Promise.resolve(
        claimed.map((one) => ({
          delivery: one,
          attempt: () => {
            begun.push(turns);
            return new Promise((resolve) => setTimeout(() => resolve(delivered(one)), 50));
          },
        })),
      ),
  });
  const run = lane.run();
  for (; begun.length < 151; turns += 1) await turn();
  const together = Math.max(...begun.map((at) => begun.filter((one) => one === at).length));
  clock.mockRestore();
  expect(together).toBe(atMost);
  lane.end();
  await run;
});

it('beside another space, a pause follows a walk in which a space got 32 deliveries, and others are claimed by target during it', async () => {
  // The noisy space is beside another one for a second, which must not pass while the machine is
  // busy.
  const clock = clockWithoutStops(50);
  const claims: { request: LaneClaim; at: number; ended: number }[] = [];
  const lane = new DeliveryLane(
    LANES.first,
    { capacity: 512, perTarget: 16 },
    {
      claim: async (request) => {
        const at = performance.now();
        // A walk of 40 ms is followed by a pause of 40 ms.
        if (!request.only) await new Promise((resolve) => setTimeout(resolve, 40));
        claims.push({ request, at, ended: performance.now() });
        const targets = request.only ? [...request.only] : [];
        const isFirst = claims.length === 1;
        const noisy = Array.from({ length: isFirst ? 0 : 32 }, (_, n) => delivery(`${n}`, `${n}`, 'noisy'));
        const quiet = (isFirst ? [['first', 'quiet']] : targets) as [string, string][];
        const found = quiet.map(([target, space]) => delivery(target, target, space));
        return {
          deliveries: request.only ? found : [...found, ...noisy],
          lastTarget: undefined,
          isLimited: true,
        };
      },
      prepare: (batch) =>
        Promise.resolve(
          batch.map((one) => ({ delivery: one, attempt: () => Promise.resolve(delivered(one)) })),
        ),
      renew: () => Promise.resolve(true),
      settle: () => Promise.resolve(),
      failed: () => undefined,
      due: () => undefined,
    },
  );
  const walks = () => claims.filter(({ request }) => !request.only);
  /** Claims by target between two walks that both gave a space its 32 deliveries. */
  const between = () =>
    claims.filter(({ request, at }) => {
      const last = walks().findLast((walk) => walk.ended <= at);
      return request.only && last && walks().indexOf(last) >= 1 && walks().at(-1) !== last;
    });
  const run = lane.run();
  // On a busy machine a walk may come first.
  for (let n = 0; walks().length < 5 || between().length === 0; n += 1) {
    lane.wake({ targets: new Map([[`target ${n}`, 'quiet']]), areAll: true });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect([lane.isFilledBy('noisy'), lane.isFilledBy('quiet')]).toEqual([true, false]);
  lane.end();
  await run;
  clock.mockRestore();
  const [first, second, third, fourth] = walks();
  expect(first?.request).not.toHaveProperty('perSpace');
  expect(second?.request).toMatchObject({ perSpace: 32, onlySpace: 'quiet' });
  expect((fourth?.at ?? 0) - (third?.ended ?? 0)).toBeGreaterThan(35);
});

it('a second run only wakes the one that is active', async () => {
  const { lane, claims } = laneOver([]);
  const run = lane.run();
  await turn();
  const before = claims.length;
  await lane.run();
  await turn();
  expect(claims.length).toBe(before + 1);
  expect(lane.isRunning).toBe(true);
  lane.end();
  await run;
  expect(lane.isRunning).toBe(false);
});

it('after a walk that found little, no walk is due in a lane with many slow targets, and a target that frees its place is claimed immediately', async () => {
  // The clock stands still, so that no pause ends.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const claims: LaneClaim[] = [];
  const ends = new Map<string, () => void>();
  const batches = [Array.from({ length: 30 }, (_, n) => delivery(`${n}`, `target ${n}`, 'slow'))];
  const lane = new DeliveryLane(
    LANES.first,
    { capacity: 100, perTarget: 1 },
    {
      claim: async (request) => {
        await turn();
        claims.push(request);
        const only = [...(request.only ?? [])].map(([target, space]) => delivery('next', target, space));
        return {
          deliveries: request.only ? only : (batches.shift() ?? []),
          lastTarget: undefined,
          isLimited: true,
        };
      },
      prepare: (batch) =>
        Promise.resolve(
          batch.map((one) => ({
            delivery: one,
            attempt: () => new Promise((resolve) => ends.set(one.targetId, () => resolve(delivered(one)))),
          })),
        ),
      renew: () => Promise.resolve(true),
      settle: () => Promise.resolve(),
      failed: () => undefined,
      due: () => undefined,
    },
  );
  const run = lane.run();
  await eventually(() => expect([ends.size, claims.length]).toEqual([30, 2]));
  for (const target of ['target 7', 'target 8']) {
    ends.get(target)?.();
    await eventually(() => expect(claims.at(-1)?.only).toEqual(new Map([[target, 'slow']])));
  }
  expect(claims.map(({ only }) => only?.size)).toEqual([undefined, undefined, 1, 1]);
  await eventually(() => expect(lane.busy).toBe(30));
  lane.end();
  for (const end of ends.values()) end();
  await run;
  clock.mockRestore();
});
