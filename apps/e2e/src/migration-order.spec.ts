import { discoverMigrations } from '@tieline/platform/database';

test('the outbox and the queue come before the libs whose tables refer to people and conversations', async () => {
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
