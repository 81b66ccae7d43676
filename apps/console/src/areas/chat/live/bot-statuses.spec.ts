import type { LiveEvent } from './live-context.js';
import { current, withStatus } from './bot-statuses.js';

const NOW = Date.parse('2026-11-27T10:00:00Z');
const status = (more: object = {}): LiveEvent => ({
  event: 'bot.status',
  conversation_id: 'c',
  bot_id: 'b',
  text: 'is reading',
  expires_at: '2026-11-27T10:01:00Z',
  ...more,
});
const cleared = (more: object = {}): LiveEvent => ({
  event: 'bot.status_cleared',
  conversation_id: 'c',
  bot_id: 'b',
  ...more,
});
const after = (...events: LiveEvent[]) =>
  events.reduce((statuses, event) => withStatus(statuses, event, NOW), [] as ReturnType<typeof withStatus>);

it('a bot has one status per conversation and thread, and a later one replaces it', () => {
  const statuses = after(status(), status({ thread_id: 't' }), status({ text: 'is writing' }));
  expect(statuses.map(({ rootId, text }) => [rootId, text])).toEqual([
    [undefined, 'is writing'],
    ['t', 'is reading'],
  ]);
});

it('the end of a status removes only this one', () => {
  const statuses = after(status(), status({ bot_id: 'other' }), status({ thread_id: 't' }), cleared());
  expect(statuses.map(({ botId, rootId }) => [botId, rootId])).toEqual([
    ['other', undefined],
    ['b', 't'],
  ]);
});

it('statuses expire, after two minutes at the latest', () => {
  const statuses = after(status(), status({ bot_id: 'late', expires_at: '2026-11-27T12:00:00Z' }));
  expect(current(statuses, NOW + 60_000).map(({ botId }) => botId)).toEqual(['late']);
  expect(current(statuses, NOW + 120_000)).toEqual([]);
  expect(current(statuses, NOW)).toBe(statuses);
});

it('a new connection begins without statuses', () => {
  expect(after(status(), { event: 'connected' })).toEqual([]);
});
