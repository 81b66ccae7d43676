import type { Role } from '@tieline/spaces';
import { hasOwnMembers, mayAddMembers, mayManage, mayRemoveMember } from './membership.states.js';
import { botMayRead, personMayRead } from './reading-access.js';

const actor = (role: Role, isMember: boolean, id = 'actor') => ({ role, isMember, id });
const OPEN = { createdBy: 'creator', scope: 'public' as const };
const CLOSED = { createdBy: 'creator', scope: 'private' as const };

test('channels have their own members, direct chats and threads do not', () => {
  expect(hasOwnMembers({ scope: 'private', rootMessageId: null })).toBe(true);
  expect(hasOwnMembers({ scope: 'dm', rootMessageId: null })).toBe(false);
  expect(hasOwnMembers({ scope: 'public', rootMessageId: 'm' })).toBe(false);
});

test.each([
  ['member', true, true],
  ['owner', true, true],
  ['guest', true, false],
  ['owner', false, false],
  ['member', false, false],
] as const)('a %s (member: %s) adds members: %s', (role, isMember, allowed) => {
  expect(mayAddMembers(actor(role, isMember))).toBe(allowed);
});

test.each([
  ['oneself, even as a guest', actor('guest', true, 'x'), { id: 'x', type: 'user' }, true],
  ['a bot by a member', actor('member', true), { id: 'b', type: 'bot' }, true],
  ['a bot by a guest', actor('guest', true), { id: 'b', type: 'bot' }, false],
  ['a bot by a non-member', actor('owner', false), { id: 'b', type: 'bot' }, false],
  ['a person by a member', actor('member', true), { id: 'u', type: 'user' }, false],
  ['a person by the creator', actor('member', true, 'creator'), { id: 'u', type: 'user' }, true],
  ['a person by an admin', actor('admin', true), { id: 'u', type: 'user' }, true],
] as const)('removing %s', (_, by, member, allowed) => {
  expect(mayRemoveMember(by, OPEN, member)).toBe(allowed);
});

test.each([
  ['the creator', actor('member', true, 'creator'), CLOSED, true],
  ['the creator after leaving', actor('member', false, 'creator'), OPEN, false],
  ['another member', actor('member', true), OPEN, false],
  ['an admin in any public channel', actor('admin', false), OPEN, true],
  ['an owner in a private one as a member', actor('owner', true), CLOSED, true],
  ['an owner who cannot read it', actor('owner', false), CLOSED, false],
])('renaming and archiving by %s', (_, by, channel, allowed) => {
  expect(mayManage(by, channel)).toBe(allowed);
});

test.each([
  ['public', false, 'member', true],
  ['public', false, 'guest', false],
  ['public', true, 'guest', true],
  ['private', false, 'owner', false],
  ['private', true, 'member', true],
  ['dm', false, 'owner', false],
  ['dm', true, 'guest', true],
] as const)('%s, member %s, role %s: reads %s', (scope, isMember, role, allowed) => {
  expect(personMayRead({ scope }, isMember, role)).toBe(allowed);
});

test.each([
  ['public', false, [], true],
  ['public', false, ['c'], true],
  ['public', true, ['other'], false],
  ['private', false, [], false],
  ['private', true, [], true],
  ['private', true, ['other'], false],
  ['private', false, ['c'], false],
  ['dm', true, ['other'], true],
  ['dm', false, [], false],
] as const)('a bot: %s, member %s, channel_ids %j: reads %s', (scope, isMember, channelIds, allowed) => {
  expect(botMayRead({ scope, channelId: 'c' }, isMember, channelIds)).toBe(allowed);
});
