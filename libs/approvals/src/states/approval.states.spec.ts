import { APPROVAL_STATES, cancel, decide, expire } from './approval.states.js';
import type { ApprovalState, Decision, OptionKind, Standing } from './approval.states.js';

const AT = '2026-01-31T09:00:00.000Z';
const by = (user: string, kind: OptionKind, option: string = kind): Decision => ({
  user_id: user,
  option_id: option,
  kind,
  at: AT,
  via: 'person',
});
const pending = (count = 1, decisions: Decision[] = []): Standing => ({ state: 'pending', count, decisions });

test.each([
  ['approve', 'approved'],
  ['approve_always', 'approved'],
  ['deny', 'denied'],
  ['answer', 'answered'],
] as const)('%s makes it %s', (kind, state) => {
  const outcome = decide(pending(), { ...by('ann', kind), comment: 'fine' }, false);
  expect(outcome).toEqual({
    kind: 'changed',
    to: {
      state,
      decisions: [{ ...by('ann', kind), comment: 'fine' }],
      result: { option_id: kind, kind, comment: 'fine', decided_by: ['ann'], decided_at: AT },
    },
  });
});

test('count people approve, and the result names all of them', () => {
  const first = decide(pending(2), by('ann', 'approve'), false);
  expect(first).toEqual({
    kind: 'changed',
    to: { state: 'pending', decisions: [by('ann', 'approve')], result: null },
  });
  const second = decide(pending(2, [by('ann', 'approve')]), by('bob', 'approve'), false);
  expect(second).toMatchObject({ to: { state: 'approved', result: { decided_by: ['ann', 'bob'] } } });
});

test.each(['deny', 'answer'] as const)('one person is enough to %s, whatever count says', (kind) => {
  const outcome = decide(pending(3, [by('ann', 'approve')]), by('bob', kind), false);
  expect(outcome).toMatchObject({ to: { result: { kind, decided_by: ['bob'] } } });
});

test('a person counts once, and may change to another option while it is pending', () => {
  const standing = pending(2, [by('ann', 'approve', 'a')]);
  expect(decide(standing, by('ann', 'approve', 'a'), false)).toEqual({ kind: 'repeated' });
  expect(decide(standing, by('ann', 'approve', 'b'), false)).toMatchObject({
    to: { state: 'pending', decisions: [{ option_id: 'b' }] },
  });
  expect(decide(standing, by('ann', 'deny'), false)).toMatchObject({ to: { state: 'denied' } });
});

test.each(APPROVAL_STATES.filter((state) => state !== 'pending'))('nothing changes what is %s', (state) => {
  const standing = { state, count: 1, decisions: [by('ann', 'approve')] };
  const late = state === 'expired' ? 'expired' : 'decided';
  expect(decide(standing, by('bob', 'approve'), false)).toEqual({ kind: late });
  expect(decide(standing, by('ann', 'deny'), true)).toEqual({ kind: late });
  expect(decide(standing, by('ann', 'approve'), true)).toEqual({ kind: 'repeated' });
});

test('a decision after the time is up comes too late, even before the expiry is written', () => {
  expect(decide(pending(), by('ann', 'approve'), true)).toEqual({ kind: 'expired' });
});

test.each([
  ['expire', 'deny', 'expired'],
  ['deny', 'no', 'denied'],
] as const)('on_expiry %s', (onExpiry, option, state: ApprovalState) => {
  const to = expire({ ...pending(2, [by('ann', 'approve')]), onExpiry }, option, AT);
  expect(to).toEqual({
    state,
    decisions: [by('ann', 'approve')],
    result: state === 'denied' ? { option_id: 'no', kind: 'deny', decided_by: [], decided_at: AT } : null,
  });
});

test('cancelling has no result', () => {
  expect(cancel(pending())).toEqual({ state: 'cancelled', decisions: [], result: null });
});
