import { narrowed } from './narrowed-log.js';

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const nothing = { filter: 'all', cursor: '' } as const;

test('without filters the whole log is read', () => {
  expect(narrowed(nothing)).toMatchObject({ before: LAST, status: null, isNarrow: false, deadAlone: false });
});

test.each([
  ['failed', 'success'],
  ['failed', 'pending'],
  ['success', 'dead'],
] as const)('nothing is %s and %s', (filter, status) => {
  expect(narrowed({ ...nothing, filter, status })).toBeUndefined();
});

test.each([
  ['failed', undefined, true],
  ['failed', 'dead', true],
  ['all', 'dead', false],
] as const)('filter %s with status %s reads dead letters alone', (filter, status, unrecovered) => {
  const log = narrowed({ ...nothing, filter, ...(status && { status }) });
  expect(log).toMatchObject({ status: 'dead', deadAlone: true, unrecovered });
});

test('times limit the ids with a margin for clock differences, and the cursor lowers the upper limit', () => {
  const [since, until] = [new Date('2026-11-21T09:00:00Z'), new Date('2026-11-21T10:00:00Z')];
  const { from, before } = narrowed({ ...nothing, since, until })!;
  const timeOf = (id: string): string =>
    new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString();
  expect([timeOf(from), timeOf(before)]).toEqual(['2026-11-21T08:55:00.000Z', '2026-11-21T10:05:00.000Z']);
  expect(narrowed({ ...nothing, until, cursor: from })).toMatchObject({ before: from });
  expect(narrowed({ ...nothing, until: since, cursor: before })!.before < before).toBe(true);
});
