import type { Scope } from '@tieline/platform/http';
import { outcomeOf } from './outcome.js';
import type { Outcome } from './outcome.js';

const asked = { bot: ['messages:write'] as Scope[], user: ['messages:read'] as Scope[] };
const none = { bot: [], user: [] };

test.each<[string, Parameters<typeof outcomeOf>[0], Outcome]>([
  ['a guest', { role: 'guest', asked, approved: asked, needsApproval: false }, 'refuse'],
  ['an admin', { role: 'admin', asked, approved: null, needsApproval: true }, 'install'],
  ['an owner', { role: 'owner', asked, approved: asked, needsApproval: true }, 'install'],
  ['a member', { role: 'member', asked, approved: null, needsApproval: true }, 'request'],
  [
    'a member for more',
    { role: 'member', asked, approved: { ...asked, user: [] }, needsApproval: true },
    'request',
  ],
  [
    'a member for more of a bot',
    { role: 'member', asked, approved: { ...asked, bot: [] }, needsApproval: true },
    'request',
  ],
  [
    'a member for what is approved',
    { role: 'member', asked, approved: asked, needsApproval: true },
    'authorize',
  ],
  ['a member for less', { role: 'member', asked: none, approved: asked, needsApproval: true }, 'authorize'],
  ['a member without approval', { role: 'member', asked, approved: null, needsApproval: false }, 'install'],
])('%s', (_, situation, outcome) => {
  expect(outcomeOf(situation)).toBe(outcome);
});
