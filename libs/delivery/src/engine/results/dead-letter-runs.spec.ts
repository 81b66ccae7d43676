import { deadLetterRuns } from './dead-letter-runs.js';

const settled = (target: string, outcomes: string) =>
  [...outcomes].map((letter, n) => ({
    deliveryId: `${target}${n}`,
    spaceId: 's',
    targetId: target,
    outcome: letter === '+' ? ('success' as const) : ('dead' as const),
  }));

describe('runs of dead letters', () => {
  test.each([
    ['+', { reset: true, beforeReset: 0, sinceReset: 0, longest: 0 }],
    ['-', { reset: false, beforeReset: 1, sinceReset: 1, longest: 0 }],
    ['---', { reset: false, beforeReset: 3, sinceReset: 3, longest: 0 }],
    ['--+', { reset: true, beforeReset: 2, sinceReset: 0, longest: 0 }],
    ['+--', { reset: true, beforeReset: 0, sinceReset: 2, longest: 2 }],
    ['-+---+--', { reset: true, beforeReset: 1, sinceReset: 2, longest: 3 }],
  ])('%s', (outcomes, expected) => {
    expect(deadLetterRuns(settled('t', outcomes))).toEqual([{ targetId: 't', ...expected }]);
  });

  test('targets are counted separately and sorted', () => {
    const runs = deadLetterRuns([...settled('b', '-'), ...settled('a', '+'), ...settled('b', '-')]);
    expect(runs.map(({ targetId, sinceReset }) => [targetId, sinceReset])).toEqual([
      ['a', 0],
      ['b', 2],
    ]);
  });
});
