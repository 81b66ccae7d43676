import { eventually } from '@tieline/testing';
import { v7 as uuidv7 } from 'uuid';
import type { SettledDelivery } from '../engine/delivery.types.js';

/** One kind of delivery targets whose consecutive dead letters are counted. */
export interface CountedTargets {
  /** A target of the space that is switched on. @returns its id */
  make(): Promise<string>;
  spaceId: string;
  /** Counts a batch in a transaction of its own. */
  count(results: SettledDelivery[], threshold: number): Promise<void>;
  /** The counter as it is stored. */
  stored(id: string): Promise<number | undefined>;
  /** Whether it gets deliveries: it is on, and not marked to be switched off. */
  isOn(id: string): Promise<boolean>;
  /** Notices to admins about the target. */
  notices(id: string): Promise<unknown[]>;
}

const THRESHOLD = 3;

/** The results of a target's deliveries in their order: `-` is dead, `+` a success. */
export function settledAs(spaceId: string, targetId: string, outcomes: string): SettledDelivery[] {
  return [...outcomes].map((letter) => ({
    deliveryId: uuidv7(),
    spaceId,
    targetId,
    outcome: letter === '+' ? 'success' : 'dead',
  }));
}

/**
 * Declares the tests that hold for every kind of targets (contract, "Other lifecycles"): how dead
 * letters are counted.
 */
export function describeCounting(targets: () => CountedTargets): void {
  const settled = (id: string, outcomes: string): SettledDelivery[] =>
    settledAs(targets().spaceId, id, outcomes);

  test.each([
    ['--', '', 2, true],
    ['--', '+', 0, true],
    ['--', '+--', 2, true],
    ['--', '-', 3, false],
    ['--', '-+', 0, false],
    ['-', '+---+-', 1, false],
    ['', '--+--', 2, true],
  ])('%p, then a batch %p, leaves %i and on: %p', async (before, batch, stored, on) => {
    const { make, count, stored: storedOf, isOn } = targets();
    const id = await make();
    await count(settled(id, before), THRESHOLD);
    await count(settled(id, batch), THRESHOLD);
    expect([await storedOf(id), await isOn(id)]).toEqual([stored, on]);
  });

  test('workers that settle at once lose no count and switch off once', async () => {
    const { make, count, stored, isOn, notices } = targets();
    const [one, other] = [await make(), await make()];
    const batches = Array.from({ length: 8 }, (_, n) =>
      (n % 2 === 0 ? [one, other] : [other, one]).flatMap((id) => settled(id, '--')),
    );
    await Promise.all(batches.map((batch) => count(batch, 17)));
    expect([await stored(one), await stored(other)]).toEqual([16, 16]);
    await Promise.all(batches.map((batch) => count(batch, 17)));
    expect(await isOn(one)).toBe(false);
    await eventually(async () => expect(await notices(one)).toHaveLength(1));
  });
}
