import { jest } from '@jest/globals';
import { AttemptStarter } from './attempt-starter.js';

// A space stays active for a second, which must not pass during a test.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

/** Adds attempts of a space that record its name when they start. */
function add(starter: AttemptStarter, spaceId: string, count: number, started: string[]): void {
  const attempt = { spaceId, start: () => void started.push(spaceId) };
  starter.add(Array.from({ length: count }, () => attempt));
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a delivery that arrives while 400 of another space start is among the next four', async () => {
  const starter = new AttemptStarter();
  const started: string[] = [];
  add(starter, 'noisy', 400, started);
  await nextTurn();
  const before = started.length;
  add(starter, 'quiet', 1, started);
  while (!started.includes('quiet')) await nextTurn();
  expect(started.indexOf('quiet') - before).toBeLessThan(4);
  while (started.length < 401) await nextTurn();
});

it('the single delivery of a space is among the first two that start of a mixed batch', () => {
  const started: string[] = [];
  new AttemptStarter().add(
    ['noisy', 'noisy', 'noisy', 'noisy', 'noisy', 'quiet'].map((spaceId) => ({
      spaceId,
      start: () => void started.push(spaceId),
    })),
  );
  expect(started.slice(0, 2)).toContain('quiet');
});

it.each([
  ['four attempts per turn of the event loop while another space is active', 'quiet', 4],
  ['64 attempts per turn for the only active space', 'noisy', 64],
])('starts %s', async (_, firstSpace, most) => {
  const starter = new AttemptStarter();
  const started: string[] = [];
  add(starter, firstSpace, 1, started);
  const counts: number[] = [];
  add(starter, 'noisy', 200, started);
  for (let before = 1; started.length < 201; await nextTurn()) {
    counts.push(started.length - before);
    before = started.length;
  }
  expect(Math.max(...counts)).toBe(most);
});

it('knows which spaces are active', () => {
  const starter = new AttemptStarter();
  expect(starter.activeSpaces).toEqual([]);
  add(starter, 'noisy', 1, []);
  expect(starter.activeSpaces).toEqual(['noisy']);
  add(starter, 'quiet', 1, []);
  expect(starter.activeSpaces).toEqual(['quiet', 'noisy']);
});
