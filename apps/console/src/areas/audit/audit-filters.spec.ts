import type { AuditEntryView } from '@tieline/sdk/api';
import { auditSearch, filterEntries } from './audit-filters.js';

const entry = (part: Partial<AuditEntryView>): AuditEntryView => ({
  id: '1',
  actor_id: 'u1',
  actor_type: 'user',
  action: 'bot.created',
  object_type: 'bot',
  object_id: 'b1',
  changes: {},
  ip: '10.0.0.1',
  created_at: '2026-11-01T00:00:00Z',
  ...part,
});
const ENTRIES = [
  entry({}),
  entry({ actor_id: null, actor_type: 'operator', action: 'space.updated', object_id: 's1' }),
];
const names: Record<string, string> = { u1: 'Ada', b1: 'Deploy' };
const found = (search: object) =>
  filterEntries(ENTRIES, search, (id) => names[id] ?? id).map(({ action }) => action);

it('filters by who, by area and by names in any case, all at once', () => {
  expect(found({})).toEqual(['bot.created', 'space.updated']);
  expect(found({ who: 'operator' })).toEqual(['space.updated']);
  expect(found({ area: 'bot' })).toEqual(['bot.created']);
  expect(found({ text: 'dEPloy' })).toEqual(['bot.created']);
  expect(found({ text: 'deploy', who: 'operator' })).toEqual([]);
});

it('reads only texts from an address', () => {
  expect(auditSearch({ who: 'u1', area: 7, text: '', other: 'x' })).toEqual({ who: 'u1' });
});
