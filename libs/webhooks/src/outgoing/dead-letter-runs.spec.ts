import { deadLetterRuns } from './dead-letter-runs.js';

const settled = (target: string, outcomes: string) =>
  [...outcomes].map((letter, n) => ({ deliveryId: `${target}${n}`, spaceId: 's', targetId: target, outcome: letter === '+' ? ('success' as const) : ('dead' as const) }));

describe('runs of dead letters', () => {
  test.each([
    ['+', { reset: true, leading: 0, trailing: 0, longest: 0 }],
    ['-', { reset: false, leading: 1, trailing: 1, longest: 0 }],
    ['---', { reset: false, leading: 3, trailing: 3, longest: 0 }],
    ['--+', { reset: true, leading: 2, trailing: 0, longest: 0 }],
    ['+--', { reset: true, leading: 0, trailing: 2, longest: 2 }],
    ['-+---+--', { reset: true, leading: 1, trailing: 2, longest: 3 }],
  ])('%s', (outcomes, expected) => {
    expect(deadLetterRuns(settled('t', outcomes))).toEqual([{ targetId: 't', ...expected }]);
  });

  test('targets are counted apart and come in one order', () => {
    const runs = deadLetterRuns([...settled('b', '-'), ...settled('a', '+'), ...settled('b', '-')]);
    expect(runs.map(({ targetId, trailing }) => [targetId, trailing])).toEqual([['a', 0], ['b', 2]]);
  });
});
