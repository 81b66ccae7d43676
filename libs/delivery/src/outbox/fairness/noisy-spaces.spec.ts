import { NoisySpaces } from './noisy-spaces.js';

/** Two noisy spaces, with events of other spaces all the time. */
function besideOthers(filling: readonly string[]) {
  const noisy = new NoisySpaces();
  noisy.setFillingCheck((id) => filling.includes(id));
  noisy.add('a', 100);
  noisy.add('b', 100);
  const turns: string[] = [];
  /** Takes turns of 10 ms whenever one is due, checking every millisecond. */
  const run = (from: number, to: number, withOthers = true): void => {
    for (let now = from; now < to; now += 1) {
      if (withOthers) noisy.noteOtherSpaces(now);
      if (noisy.isPaused(() => undefined, now)) continue;
      const turn = noisy.nextTurn(now);
      if (!turn) continue;
      turns.push(turn.spaceId);
      now += 10;
      noisy.turnEnded(turn.spaceId, 10, now);
      noisy.turnPlanned(turn, turn.size);
    }
    noisy.close();
  };
  return { noisy, turns, run, of: (id: string) => turns.filter((one) => one === id).length };
}

test('noisy spaces take turns and get a quarter of the time while others are active', () => {
  const { run, of } = besideOthers([]);
  run(0, 4000);
  expect(of('a') + of('b')).toBeGreaterThan(90);
  expect(of('a') + of('b')).toBeLessThan(105);
  expect(Math.abs(of('a') - of('b'))).toBeLessThan(2);
});

test('a space whose deliveries wait for places gets at most a twentieth of the time, and the next noisy space loses nothing', () => {
  const { run, of } = besideOthers(['a']);
  run(0, 4200);
  expect(of('a')).toBeGreaterThan(14);
  expect(of('a')).toBeLessThan(22);
  expect(of('b')).toBeGreaterThan(70);
});

test('without other spaces it is planned at full speed', () => {
  const { run, of } = besideOthers(['a', 'b']);
  run(0, 100, false);
  expect(of('a') + of('b')).toBeGreaterThan(8);
});

test('when all spaces pause, the callback fires when the first may continue', async () => {
  const { noisy } = besideOthers(['a', 'b']);
  const begun = performance.now();
  noisy.noteOtherSpaces(begun);
  noisy.turnEnded('a', 2, begun);
  noisy.turnEnded('b', 20, begun);
  noisy.turnEnded('b', 2, begun + 10);
  const over = await new Promise<number>((resolve) => {
    expect(noisy.isPaused(() => resolve(performance.now()), begun + 11)).toBe(true);
  });
  expect(over - begun).toBeGreaterThan(28);
  expect(noisy.nextTurn(begun + 41)?.spaceId).toBe('a');
});
