import type { AuditEntryView } from '@tieline/sdk/api';
import { actionWords } from './action-words.js';
import { auditQuery, auditSearch, KINDS, toldNames } from './audit-search.js';
import { auditWords } from './words.js';

const ADA = '0198f3a2-7c1b-7000-8000-0000000000b1';

it('parses valid filters from an address and ignores others', () => {
  const search = { who: 'operator', kind: 'bot', action: 'bot.updated', on: ADA, span: '7d' };
  expect(auditSearch({ ...search, other: 1 })).toEqual(search);
  expect(auditSearch({ who: 'root', kind: 'x', action: 'x', on: '1', span: '1y' })).toEqual({});
  expect(auditSearch({ who: 7, action: ['bot.updated'] })).toEqual({});
});

it('offers every kind of object that an action is about, named in both languages', () => {
  expect(KINDS).toEqual(expect.arrayContaining(['session', 'push_subscription', 'conversation']));
  for (const language of ['en', 'ru'] as const)
    for (const action of Object.keys(actionWords[language])) {
      const kind = KINDS.find((one) => action.startsWith(`${one}.`));
      expect([action, kind && auditWords[language][kind]]).toEqual([action, expect.any(String)]);
      expect(auditSearch({ kind })).toEqual({ kind });
    }
});

it('filters actors without an id by type, others by id', () => {
  const now = Date.parse('2026-11-08T00:00:00Z');
  expect(auditQuery({ who: 'system', span: '7d' }, now)).toEqual({
    actor_type: 'system',
    since: '2026-11-01T00:00:00.000Z',
  });
  expect(auditQuery({ who: ADA, kind: 'user', on: ADA, action: 'user.updated' }, now)).toEqual({
    actor_id: ADA,
    object_type: 'user',
    object_id: ADA,
    action: 'user.updated',
  });
});

it('finds installations, requests and authorizations of apps with the apps', () => {
  expect(auditQuery({ kind: 'app' }, 0)).toEqual({
    object_type: 'app,app_installation,app_request,app_authorization',
  });
});

it('takes the latest name of each object from its changes', () => {
  const entry = (id: string, changes: object) => ({ object_id: id, changes }) as unknown as AuditEntryView;
  const told = toldNames([
    entry('1', { status: { from: 'active', to: 'inactive' } }),
    entry('1', { display_name: { from: 'Old', to: 'New' } }),
    entry('1', { display_name: { from: null, to: 'Old' } }),
    entry('2', { name: { from: 'Gone', to: null } }),
  ]);
  expect([...told]).toEqual([
    ['1', 'New'],
    ['2', 'Gone'],
  ]);
});
