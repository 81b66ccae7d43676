import type { OutboxRecord } from '@tieline/delivery';
import { MAX_WAITING, SearchPlanner } from './search-planner.js';

test('events that cannot be indexed are dropped beyond a limit, and read again later', () => {
  let lost = 0;
  const planner = new SearchPlanner(
    () => undefined,
    () => (lost += 1),
    () => undefined,
  );
  const record = { type: 'MESSAGE_CREATED' } as OutboxRecord;
  planner.committed(Array<OutboxRecord>(MAX_WAITING).fill(record));
  expect(lost).toBe(0);
  planner.committed([record]);
  expect(lost).toBe(1);
  planner.committed([record]);
  expect(lost).toBe(1);
});
