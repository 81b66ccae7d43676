import { byMinute, totalsOf } from './summary.js';

const now = Date.parse('2026-11-01T12:00:30Z');

it('counts deliveries by minute, and leaves out what is older', () => {
  const minutes = byMinute(
    [
      { created_at: '2026-11-01T12:00:10Z', status: 'success' },
      { created_at: '2026-11-01T11:58:59Z', status: 'dead' },
      { created_at: '2026-11-01T11:58:00Z', status: 'pending' },
      { created_at: '2026-11-01T11:00:00Z', status: 'success' },
    ],
    now,
    3,
  );
  expect(minutes.map(({ success, failed, waiting }) => [success, failed, waiting])).toEqual([
    [0, 1, 1],
    [0, 0, 0],
    [1, 0, 0],
  ]);
  expect(totalsOf(minutes)).toEqual({ success: 1, failed: 1, waiting: 1, share: 0.5 });
});

it('has no rate while nothing is decided', () => {
  expect(totalsOf(byMinute([], now)).share).toBeUndefined();
});
