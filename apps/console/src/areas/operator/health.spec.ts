import { readHealth } from './health.js';

it('reads the state of each service and of the whole', () => {
  expect(readHealth(true, { details: { database: { status: 'up' } } })).toEqual({
    state: 'ok',
    parts: [{ name: 'database', state: 'ok' }],
  });
  expect(readHealth(true, { details: { queue: { status: 'degraded' } } })?.state).toBe('degraded');
  expect(readHealth(false, { details: { database: { status: 'down' } } })).toEqual({
    state: 'down',
    parts: [{ name: 'database', state: 'down' }],
  });
});

it('ignores the HTML page of a proxy', () => {
  expect(readHealth(false, undefined)).toBeUndefined();
  expect(readHealth(true, { error: 'not found' })).toBeUndefined();
});
