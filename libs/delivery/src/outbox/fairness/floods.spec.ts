import { Floods } from './floods.js';

/** Two spaces with floods, beside others that have events all the time. */
function besideOthers(filling: readonly string[]) {
  const floods = new Floods();
  floods.slow((id) => filling.includes(id));
  floods.hold('a', 100);
  floods.hold('b', 100);
  const turns: string[] = [];
  /** A turn of 10 ms whenever one is due, looked for every millisecond. */
  const run = (from: number, to: number, withOthers = true): void => {
    for (let now = from; now < to; now += 1) {
      if (withOthers) floods.noteOthers(now);
      if (floods.rest(() => undefined, now)) continue;
      const turn = floods.next(now);
      if (!turn) continue;
      turns.push(turn.spaceId);
      now += 10;
      floods.ended(turn.spaceId, 10, now);
      floods.served(turn, turn.size);
    }
    floods.close();
  };
  return { floods, turns, run, of: (id: string) => turns.filter((one) => one === id).length };
}

test('beside others floods have a quarter of the time, by turns', () => {
  const { run, of } = besideOthers([]);
  run(0, 4000);
  expect(of('a') + of('b')).toBeGreaterThan(90);
  expect(of('a') + of('b')).toBeLessThan(105);
  expect(Math.abs(of('a') - of('b'))).toBeLessThan(2);
});

test('of a space whose deliveries wait for places no more than a twentieth of the time is spent on planning others, and the next flood loses nothing by it', () => {
  const { run, of } = besideOthers(['a']);
  run(0, 4200);
  expect(of('a')).toBeGreaterThan(14);
  expect(of('a')).toBeLessThan(22);
  expect(of('b')).toBeGreaterThan(70);
});

test('without others such a space is planned as fast as any', () => {
  const { run, of } = besideOthers(['a', 'b']);
  run(0, 100, false);
  expect(of('a') + of('b')).toBeGreaterThan(8);
});

test('when all rest it is known when the first may go on', async () => {
  const { floods } = besideOthers(['a', 'b']);
  const begun = performance.now();
  floods.noteOthers(begun);
  floods.ended('a', 2, begun);
  floods.ended('b', 20, begun);
  floods.ended('b', 2, begun + 10);
  const over = await new Promise<number>((resolve) => {
    expect(floods.rest(() => resolve(performance.now()), begun + 11)).toBe(true);
  });
  expect(over - begun).toBeGreaterThan(28);
  expect(floods.next(begun + 41)?.spaceId).toBe('a');
});
