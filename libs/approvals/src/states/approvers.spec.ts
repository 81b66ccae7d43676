import { mayDecide } from './approvers.js';

const named = { approverIds: ['ann'], approverRoles: [], requestedBy: null };
const byRole = { approverIds: [], approverRoles: ['admin' as const], requestedBy: null };
const open = { approverIds: [], approverRoles: [], requestedBy: null };
const ann = { userId: 'ann', role: 'member' as const, isMember: true, mayRead: true };

test.each([
  ['a member', open, ann, true],
  ['a guest', open, { ...ann, role: 'guest' as const }, false],
  ['a reader who is no member', open, { ...ann, isMember: false }, false],
  ['the requester', { ...open, requestedBy: 'ann' }, ann, false],
  ['a named person who is no member', named, { ...ann, isMember: false, mayRead: false }, true],
  ['a named guest', named, { ...ann, role: 'guest' as const }, true],
  ['a member who is not named', named, { ...ann, userId: 'bob' }, false],
  ['the requester, although named', { ...named, requestedBy: 'ann' }, ann, false],
  ['a person with the role who can read', byRole, { ...ann, role: 'admin' as const, isMember: false }, true],
  [
    'a person with the role who cannot read',
    byRole,
    { ...ann, role: 'admin' as const, mayRead: false },
    false,
  ],
  ['a person with another role', byRole, ann, false],
] as const)('%s', (_, approvers, person, may) => {
  expect(mayDecide(approvers, person)).toBe(may);
});
