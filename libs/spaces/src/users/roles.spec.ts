import { mayManage, removesOwner, ROLES, roleMay } from './roles.js';
import type { Right, Role, RoleStatus } from './roles.js';

const RIGHTS: [Right, Role[]][] = [
  ['administer', ['owner', 'admin']],
  ['manage_owners', ['owner']],
  ['create_channel', ['owner', 'admin', 'member']],
  ['join_public_channel', ['owner', 'admin', 'member']],
];

test.each(RIGHTS)('the right %s belongs only to %j', (right, holders) => {
  expect(ROLES.filter((role) => roleMay(role, right))).toEqual(holders);
});

describe('mayManage', () => {
  const pairs = ROLES.flatMap((present) => ROLES.map((next) => [present, next] as const));

  test.each(pairs)('an owner may turn a %s into a %s', (present, next) => {
    expect(mayManage('owner', next, present)).toBe(true);
  });

  test.each(pairs)('an admin may turn a %s into a %s unless an owner is involved', (present, next) => {
    expect(mayManage('admin', next, present)).toBe(present !== 'owner' && next !== 'owner');
  });

  test.each(pairs)('members and guests may not turn a %s into a %s', (present, next) => {
    expect(mayManage('member', next, present)).toBe(false);
    expect(mayManage('guest', next, present)).toBe(false);
  });
});

test.each<[string, RoleStatus, RoleStatus, boolean]>([
  ['demoting an active owner', { role: 'owner', isActive: true }, { role: 'admin', isActive: true }, true],
  [
    'deactivating an active owner',
    { role: 'owner', isActive: true },
    { role: 'owner', isActive: false },
    true,
  ],
  ['renaming an active owner', { role: 'owner', isActive: true }, { role: 'owner', isActive: true }, false],
  [
    'demoting an owner who is not active',
    { role: 'owner', isActive: false },
    { role: 'member', isActive: false },
    false,
  ],
  ['deactivating an admin', { role: 'admin', isActive: true }, { role: 'admin', isActive: false }, false],
])('%s removes an owner: %j → %j is %s', (_, present, next, expected) => {
  expect(removesOwner(present, next)).toBe(expected);
});
