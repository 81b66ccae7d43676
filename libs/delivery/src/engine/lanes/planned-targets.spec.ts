import { LANES } from '../claims/claim-deliveries.js';
import { PriorityTargets } from './priority-targets.js';
import { parseSubjects, subjectsOf, limitSubjects } from './planned-targets.js';

const planned = (spaceId: string, targets: number, more: { counts?: boolean } = {}) =>
  Array.from({ length: targets }, (_, n) => ({ spaceId, targetId: `${spaceId}${n}`, ...more }));

test('planned deliveries are reported by lane and target', () => {
  const news = parseSubjects([...subjectsOf([...planned('a', 2), ...planned('b', 1, { counts: false })])]);
  expect(news).toEqual(
    new Map([
      [
        LANES.first,
        {
          targets: new Map([
            ['a0', 'a'],
            ['a1', 'a'],
          ]),
          areAll: true,
        },
      ],
      [LANES.test, { targets: new Map([['b0', 'b']]), areAll: true }],
    ]),
  );
});

test('a fan-out to many targets is reported without them, and a small one with its targets', () => {
  const news = parseSubjects([...subjectsOf([...planned('many', 300), ...planned('few', 3)])]);
  const { targets, areAll } = news!.get(LANES.first)!;
  expect([...targets.values(), areAll]).toEqual(['few', 'few', 'few', false]);
  expect(parseSubjects([...subjectsOf(planned('many', 300))])).toEqual(
    new Map([[LANES.first, { targets: new Map(), areAll: false }]]),
  );
  expect(parseSubjects(['0'])?.get(LANES.first)?.areAll).toBe(false);
});

test('a message is limited in size and contains every lane', () => {
  const subjects = Array.from({ length: 100 }, (_, n) => [...subjectsOf(planned(`space ${n}`, 10))]).flat();
  const all = limitSubjects([...new Set([...subjects, '2'])]);
  expect(all.length).toBeLessThan(70);
  expect(parseSubjects(all)?.has(LANES.test)).toBe(true);
  expect(parseSubjects(all)?.get(LANES.first)).toMatchObject({ areAll: false });
  const few = [...subjectsOf(planned('few', 10))];
  expect(parseSubjects(limitSubjects(few))).toEqual(parseSubjects(few));
});

test('an empty message says nothing about targets', () => {
  expect(parseSubjects([])).toBeUndefined();
});

describe('targets that may be claimed without waiting for room', () => {
  const places = new Map([
    ['flood', 50],
    ['calm', 3],
  ]);

  test('are those of spaces with fewer places than are free', () => {
    const priority = new PriorityTargets();
    priority.add(new Map([['one', 'flood']]));
    expect(priority.hasClaimable(places, 14)).toBe(false);
    priority.add(
      new Map([
        ['two', 'calm'],
        ['three', 'new'],
      ]),
    );
    expect(priority.hasClaimable(places, 14)).toBe(true);
    expect([...priority.takeClaimable(places, 14).keys()]).toEqual(['two', 'three']);
    expect(priority.hasClaimable(places, 14)).toBe(false);
  });

  test('do not exist in a full lane', () => {
    const priority = new PriorityTargets();
    priority.add(new Map([['one', 'new']]));
    expect(priority.hasClaimable(places, 0)).toBe(false);
  });

  test('are at most 64', () => {
    const priority = new PriorityTargets();
    for (let n = 0; n < 100; n += 1) priority.add(new Map([[`${n}`, 'calm']]));
    expect(priority.add(new Map([['100', 'calm']]))).toBe(false);
    expect(priority.add(new Map([['1', 'calm']]))).toBe(true);
    expect(priority.takeClaimable(places, 10).size).toBe(64);
  });
});
