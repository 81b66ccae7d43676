import type { Result } from '../delivery.types.js';
import { SlowResults } from './slow-results.js';

const result = (durationMs: number, counts = true): Result =>
  ({ delivery: { counts }, attempt: { durationMs }, outcome: { kind: 'delivered' } }) as unknown as Result;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Pauses that the test ends. */
function stopped() {
  const ends: (() => void)[] = [];
  const results = new SlowResults(() => new Promise<void>((resolve) => ends.push(resolve)));
  return { results, ends };
}

it('results of slow attempts share one pause, and later ones the next', async () => {
  const { results, ends } = stopped();
  const written: string[] = [];
  const gather = (name: string): void =>
    void results.gather(result(1500)).then(() => void written.push(name));
  gather('a');
  await turn();
  gather('b');
  await turn();
  expect([ends.length, written]).toEqual([1, []]);
  ends[0]?.();
  await turn();
  expect(written).toEqual(['a', 'b']);
  gather('c');
  await turn();
  expect([ends.length, written]).toEqual([2, ['a', 'b']]);
});

it('quick results and test sends do not wait', async () => {
  const { results, ends } = stopped();
  await results.gather(result(999));
  await results.gather(result(4000, false));
  await results.gather({ ...result(0), attempt: undefined });
  expect(ends).toEqual([]);
});
