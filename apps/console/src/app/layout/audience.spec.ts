import { isFor } from './audience.js';

const PATHS = ['/bots', '/bots/01a2', '/incoming/new', '/outgoing', '/people', '/notices', '/audit'];

it.each(PATHS)('%s is for admins and owners alone', (path) => {
  const roles = ['owner', 'admin', 'member', 'guest'] as const;
  expect(roles.map((role) => isFor(role, path))).toEqual([true, true, false, false]);
});

it('everything else is for everybody, also at an address that begins alike', () => {
  for (const path of ['/overview', '/chat', '/sessions', '/c/1/2', '/bots-of-others'])
    expect([path, isFor('guest', path)]).toEqual([path, true]);
});
