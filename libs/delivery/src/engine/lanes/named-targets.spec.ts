import { eventually } from '@tieline/testing';
import { delivered, delivery, laneOver, turn } from '../../testing/lane-rig.js';
import { NIL } from '../claims/claim-deliveries.js';
import type { ClaimResult } from '../claims/claim-deliveries.js';
import type { ClaimedDelivery, Result } from '../delivery.types.js';
import type { LaneClaim } from './lane-parts.js';
import type { LaneWork } from './planned-targets.js';

/**
 * A lane whose claims return what `claim` says for each.
 * @param claim `at` counts the claims from 0
 */
function laneWithClaims(
  claim: (at: number) => Partial<ClaimResult>,
  attempt: (one: ClaimedDelivery) => Promise<Result> = (one) => Promise.resolve(delivered(one)),
) {
  const claims: LaneClaim[] = [];
  const { lane } = laneOver([], {
    prepare: (batch) => Promise.resolve(batch.map((one) => ({ delivery: one, attempt: () => attempt(one) }))),
    claim: async (request) => {
      claims.push(request);
      const result = claim(claims.length - 1);
      await turn();
      return { deliveries: [], lastTarget: undefined, isLimited: false, ...result };
    },
  });
  const run = lane.run();
  const stop = async (): Promise<void> => {
    lane.end();
    await run;
  };
  /** Waits for this number of claims, and a little for more, and returns all. */
  const waitFor = async (count: number): Promise<string[]> => {
    await eventually(() => claims.length >= count, { everyMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    return claims.map(({ only }) => (only ? 'by target' : 'walk'));
  };
  return { lane, claims, stop, waitFor };
}

const named = (...targets: string[]): LaneWork => ({
  targets: new Map(targets.map((target) => [target, 'space'])),
  areAll: true,
});

it('no walk follows one that left nothing out, even if it found deliveries and their places are freed', async () => {
  const { stop, waitFor } = laneWithClaims((at) => ({ deliveries: at === 0 ? [delivery('a')] : [] }));
  expect(await waitFor(1)).toEqual(['walk']);
  await stop();
});

it('new deliveries whose targets are all named are claimed by target, without a walk', async () => {
  const { lane, claims, stop, waitFor } = laneWithClaims((at) => ({
    deliveries: at === 1 ? [delivery('a')] : [],
  }));
  await waitFor(1);
  lane.wake(named('target'));
  expect(await waitFor(2)).toEqual(['walk', 'by target']);
  expect(claims[1]?.only).toEqual(new Map([['target', 'space']]));
  lane.wake({ ...named('target'), areAll: false });
  expect(await waitFor(3)).toEqual(['walk', 'by target', 'walk']);
  await stop();
});

it('more named targets than are kept are left to a walk', async () => {
  const { lane, stop, waitFor } = laneWithClaims(() => ({}));
  await waitFor(1);
  lane.wake(named(...Array.from({ length: 65 }, (_, n) => `${n}`)));
  expect(await waitFor(2)).toEqual(['walk', 'walk']);
  await stop();
});

it('a claim by target that left something out is followed by a walk, before its attempts end', async () => {
  let end: () => void = () => undefined;
  const { lane, stop, waitFor } = laneWithClaims(
    (at) => ({ deliveries: at === 1 ? [delivery('a')] : [], isLimited: at === 1 }),
    (one) => new Promise((resolve) => (end = () => resolve(delivered(one)))),
  );
  await waitFor(1);
  lane.wake(named('target'));
  expect(await waitFor(3)).toEqual(['walk', 'by target', 'walk']);
  end();
  await stop();
});

it('a place that is freed during a claim that left something out is followed by a walk', async () => {
  const { lane, stop, waitFor } = laneWithClaims((at) => {
    // Deliveries that were planned with a place end during the second claim.
    if (at === 1)
      lane.send([delivery('direct')], performance.now(), async (batch) =>
        batch.map((one) => ({ delivery: one, attempt: () => Promise.resolve(delivered(one)) })),
      );
    return { isLimited: at === 1 };
  });
  await waitFor(1);
  lane.wake(named('target'));
  expect(await waitFor(3)).toEqual(['walk', 'by target', 'walk']);
  await stop();
});

it('a wake-up in the middle of a walk is not lost: targets that the walk has passed are visited again', async () => {
  const { lane, claims, stop, waitFor } = laneWithClaims((at) => {
    if (at === 0) lane.wake();
    return { lastTarget: at === 0 ? 'middle' : undefined };
  });
  await waitFor(3);
  expect(claims.map(({ afterTarget }) => afterTarget)).toEqual([NIL, 'middle', NIL]);
  await stop();
});

it('targets that are named in the middle of a walk are claimed after it', async () => {
  const { lane, stop, waitFor } = laneWithClaims((at) => {
    if (at === 0) lane.wake(named('passed'));
    return { lastTarget: at === 0 ? 'middle' : undefined };
  });
  expect(await waitFor(3)).toEqual(['walk', 'walk', 'by target']);
  await stop();
});

it('named targets that the first claim of a walk did not reach are claimed by target', async () => {
  const { lane, stop, waitFor } = laneWithClaims((at) => ({ lastTarget: at === 1 ? 'middle' : undefined }));
  await waitFor(1);
  lane.wake({ ...named('target'), areAll: false });
  expect(await waitFor(4)).toEqual(['walk', 'walk', 'walk', 'by target']);
  await stop();
});

it('a named target of the space that fills the lane is left to a whole walk, even in the middle of one', async () => {
  const ends: (() => void)[] = [];
  const held = Array.from({ length: 4 }, (_, n) => delivery(`${n}`, `target ${n}`));
  const { lane, claims, stop, waitFor } = laneWithClaims(
    (at) => {
      const targets = new Map([
        ['passed', 'space'],
        ['other', 'calm'],
      ]);
      if (at === 0) lane.wake({ targets, areAll: true });
      return { deliveries: at === 0 ? held : [], lastTarget: at === 0 ? 'middle' : undefined };
    },
    (one) => new Promise((resolve) => ends.push(() => resolve(delivered(one)))),
  );
  // The pause after a walk that found little comes first.
  expect(await waitFor(4)).toEqual(['walk', 'walk', 'by target', 'walk']);
  expect(claims.at(-1)?.afterTarget).toBe(NIL);
  for (const end of ends) end();
  await stop();
});
