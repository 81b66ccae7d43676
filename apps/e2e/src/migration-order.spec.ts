import { discoverMigrations } from '@tieline/platform/database';

test('the migrations of outbox and queue run before those that refer to people and conversations', async () => {
  const libsInOrder = [...new Set((await discoverMigrations()).map(({ lib }) => lib))];
  expect(libsInOrder.slice(0, 6)).toEqual([
    'live',
    'rate-limit',
    'delivery',
    'idempotency',
    'spaces',
    'conversations',
  ]);
});
