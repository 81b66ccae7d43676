import type { MessageNotice } from '@tieline/conversations';
import { concerns, notificationKind } from './push-policy.js';
import type { Recipient } from './push-policy.js';

const NOW = new Date('2026-11-21T22:30:00Z');
const ANN: Recipient = { userId: 'ann', muted: false, dndUntil: null, quietHours: null, isHere: false };
const QUIET = { start: '22:00', end: '07:00', timeZone: 'UTC' };
const LATER = new Date(NOW.getTime() + 60_000);
const notice = (more: Partial<MessageNotice> = {}): MessageNotice => ({
  severity: 'warning',
  default_push: true,
  mentions: ['ann'],
  channel: false,
  here: false,
  ...more,
});
const kind = (given: Partial<MessageNotice>, recipient: Partial<Recipient> = {}): string =>
  notificationKind(notice(given), { ...ANN, ...recipient }, NOW);

describe('the push policy', () => {
  test.each<[string, Partial<MessageNotice>, Partial<Recipient>, string]>([
    ['no mention', { mentions: [] }, {}, 'in_app'],
    ['another person is mentioned', { mentions: ['bob'] }, {}, 'in_app'],
    ['silent', { silent: true }, {}, 'in_app'],
    [
      'silent and critical with @channel',
      { silent: true, severity: 'critical', channel: true },
      {},
      'in_app',
    ],
    ['info with a mention', { severity: 'info' }, {}, 'in_app'],
    ['info with @channel', { severity: 'info', channel: true, mentions: [] }, {}, 'in_app'],
    ['warning with a mention', {}, {}, 'push'],
    ['warning, muted', {}, { muted: true }, 'in_app'],
    ['warning in DND', {}, { dndUntil: LATER }, 'in_app'],
    ['warning after DND', {}, { dndUntil: NOW }, 'push'],
    ['warning in quiet hours', {}, { quietHours: QUIET }, 'in_app'],
    ['warning outside quiet hours', {}, { quietHours: { ...QUIET, timeZone: 'America/New_York' } }, 'push'],
    ['critical with a mention', { severity: 'critical' }, {}, 'push'],
    [
      'critical in DND and quiet hours',
      { severity: 'critical' },
      { dndUntil: LATER, quietHours: QUIET },
      'push',
    ],
    ['critical, muted', { severity: 'critical' }, { muted: true }, 'in_app'],
    ['critical without a mention', { severity: 'critical', mentions: [] }, {}, 'in_app'],
    ['@channel', { mentions: [], channel: true }, {}, 'push'],
    ['@here, online and not viewing', { mentions: [], here: true }, { isHere: true }, 'push'],
    ['@here, offline or viewing', { mentions: [], here: true }, {}, 'in_app'],
    ['@here and a mention of someone offline', { here: true }, {}, 'push'],
  ])('%s', (_what, given, recipient, expected) => {
    expect(kind(given, recipient)).toBe(expected);
  });
});

describe('a webhook that does not push', () => {
  test.each<[string, Partial<MessageNotice>, Partial<Recipient>, string]>([
    ['by itself', {}, {}, 'in_app'],
    ['critical', { severity: 'critical' }, {}, 'in_app'],
    ['@channel', { channel: true }, {}, 'in_app'],
    ['silent: true', { silent: true }, {}, 'in_app'],
    ['silent: false lets the table apply', { silent: false }, {}, 'push'],
    ['silent: false, info', { silent: false, severity: 'info' }, {}, 'in_app'],
    ['silent: false, no mention', { silent: false, mentions: [] }, {}, 'in_app'],
    ['silent: false, muted', { silent: false }, { muted: true }, 'in_app'],
    ['silent: false, critical in DND', { silent: false, severity: 'critical' }, { dndUntil: LATER }, 'push'],
  ])('%s', (_what, given, recipient, expected) => {
    expect(kind({ default_push: false, ...given }, recipient)).toBe(expected);
  });
});

describe('the card of an approval', () => {
  const approval = { approval_id: 'a', actions: [], user_ids: ['ann'], roles: ['admin' as const] };

  test.each([
    ['a named person', 'ann', 'guest', true],
    ['a person with the role', 'bob', 'admin', true],
    ['a person with another role', 'bob', 'member', false],
    ['the person who requested it', 'eve', 'admin', false],
  ] as const)('%s', (_, userId, role, isNotified) => {
    expect(concerns(notice({ approval: { ...approval, except: 'eve' } }), userId, role)).toBe(isNotified);
  });

  test('other messages concern every member', () => {
    expect(concerns(notice(), 'bob', 'guest')).toBe(true);
  });
});
