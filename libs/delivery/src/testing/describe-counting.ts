import { eventually } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import type { SettledDelivery } from '../engine/delivery.types.js';

/** A kind of delivery targets whose consecutive dead letters are counted. */
export interface CountedTargets {
  /**
   * Creates an active target in the space.
   * @returns its id
   */
  make(): Promise<string>;
  spaceId: string;
  /** Counts a batch in its own transaction. */
  count(results: SettledDelivery[], threshold: number): Promise<void>;
  /** Returns the stored counter. */
  stored(id: string): Promise<number | undefined>;
  /** Returns whether it gets deliveries: it is active and not marked to be disabled. */
  isOn(id: string): Promise<boolean>;
  /** Returns the notices to admins about the target. */
  notices(id: string): Promise<unknown[]>;
}

const THRESHOLD = 3;

/** Returns the results of a target's deliveries in order: `-` is dead, `+` a success. */
export function settledAs(spaceId: string, targetId: string, outcomes: string): SettledDelivery[] {
  return [...outcomes].map((letter) => ({
    deliveryId: uuidv7(),
    spaceId,
    targetId,
    outcome: letter === '+' ? 'success' : 'dead',
  }));
}

/** Declares the tests of how dead letters are counted, which hold for every kind of targets. */
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

  test('workers that settle concurrently lose no count and disable the target once', async () => {
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
