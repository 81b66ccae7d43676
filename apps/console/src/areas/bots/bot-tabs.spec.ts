import { botTabIn, sinceOf } from './bot-tabs.js';

it('reads valid tabs and filters from the address', () => {
  expect(botTabIn({ tab: 'deliveries', filter: 'failed', span: 'hour' })).toEqual({
    tab: 'deliveries',
    filter: 'failed',
    span: 'hour',
  });
  expect(botTabIn({ tab: 'nothing', filter: 7 })).toEqual({});
});

it('computes periods back from now', () => {
  const now = Date.parse('2026-11-01T12:00:00Z');
  expect(sinceOf('hour', now)).toBe('2026-11-01T11:00:00.000Z');
  expect(sinceOf('day', now)).toBe('2026-10-31T12:00:00.000Z');
  expect(sinceOf('all', now)).toBeUndefined();
});
