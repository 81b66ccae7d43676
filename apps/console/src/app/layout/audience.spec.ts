import { isFor } from './audience.js';

const PATHS = [
  '/bots',
  '/bots/01a2',
  '/incoming/new',
  '/outgoing',
  '/installed-apps',
  '/own-apps/new',
  '/people',
  '/notices',
  '/audit',
];

it.each(PATHS)('%s is for admins and owners alone', (path) => {
  const roles = ['owner', 'admin', 'member', 'guest'] as const;
  expect(roles.map((role) => isFor(role, path))).toEqual([true, true, false, false]);
});

it('everything else is for everyone, including addresses with a similar prefix', () => {
  for (const path of ['/overview', '/chat', '/sessions', '/apps', '/apps/01a2', '/c/1/2', '/bots-of-others'])
    expect([path, isFor('guest', path)]).toEqual([path, true]);
});
