/** What an event costs PostgreSQL, in counts that do not depend on the speed of the machine. */
import { measureCosts, measureIdle, table } from '../qa/costs/costs.mjs';

/** Statements of background work are executed less often than once per event, even here. */
const OWN = 0.7;

test('an idle api and worker have at most two transactions and two statements a second', async () => {
  const idle = await measureIdle();
  const seen = table('per second', idle, 0);
  expect(idle.transactions <= 2 ? '' : seen).toBe('');
  expect(idle.statements <= 2 ? '' : seen).toBe('');
}, 300_000);

test('a single event costs at most ten statements, seven transactions and 5 KB of WAL', async () => {
  const { event } = await measureCosts({ perSecond: 0, seconds: 10, push: true });
  const own = event.rows.filter(({ calls }) => calls > OWN);
  const walBytes = own.reduce((sum, { wal }) => sum + wal, 0);
  const seen = table('per event', event, OWN);
  expect(own.length <= 10 ? '' : seen).toBe('');
  // With background work, such as indexing for search.
  expect(event.transactions <= 7 ? '' : seen).toBe('');
  expect(walBytes <= 5120 ? '' : seen).toBe('');
}, 180_000);
