import { whyNext } from './why-next.js';

const AT = '2026-11-01T12:00:00.000Z';
const after = (seconds: number) => new Date(Date.parse(AT) + seconds * 1000).toISOString();
const attempt = (code: number | null) => ({
  at: AT,
  status_code: code,
  duration_ms: 0,
  error: code === null ? 'timeout' : null,
  response: '',
});
const CLOSED = {
  breaker: { state: 'closed', consecutive_failures: 0 },
  retry_profile: 'contract',
} as const;

function pending(code: number | null, attempts: number, seconds: number) {
  return {
    status: 'pending',
    attempts,
    next_attempt_at: after(seconds),
    attempt_log: [attempt(code)],
    error: null,
  } as const;
}

it('distinguishes the schedule from a time requested by the receiver', () => {
  expect(whyNext({ ...pending(503, 2, 10) }, CLOSED)).toEqual({
    kind: 'backoff',
    afterMs: 10_000,
    attempt: 2,
  });
  expect(whyNext({ ...pending(503, 2, 120) }, CLOSED)).toEqual({
    kind: 'retryAfter',
    afterMs: 120_000,
    code: 503,
  });
  // Only 429 and 503 responses can set the time. For other statuses a different time comes from the
  // operator's settings.
  expect(whyNext({ ...pending(500, 2, 120) }, CLOSED).kind).toBe('backoff');
  expect(whyNext({ ...pending(429, 2, 30) }, { ...CLOSED, retry_profile: 'extended' }).kind).toBe('backoff');
});

it('reports the breaker and ordering before the schedule', () => {
  const open = { ...CLOSED, breaker: { state: 'open', consecutive_failures: 12 } } as const;
  expect(whyNext({ ...pending(500, 2, 10) }, open)).toEqual({ kind: 'breaker', failures: 12 });
  const waiting = {
    status: 'pending',
    attempts: 0,
    next_attempt_at: null,
    attempt_log: [],
    error: null,
  } as const;
  expect(whyNext({ ...waiting, attempt_log: [] }, open)).toEqual({ kind: 'ordered' });
  expect(whyNext({ ...waiting, attempt_log: [], next_attempt_at: AT }, CLOSED)).toEqual({ kind: 'first' });
});

it('explains why a delivery failed', () => {
  const dead = (code: number | null, attempts: number, error: string | null = null) =>
    whyNext({ status: 'dead', attempts, next_attempt_at: null, attempt_log: [attempt(code)], error }, CLOSED);
  expect(dead(302, 1)).toEqual({ kind: 'redirected', code: 302 });
  expect(dead(404, 1)).toEqual({ kind: 'refused', code: 404 });
  expect(dead(408, 8)).toEqual({ kind: 'exhausted', attempts: 8 });
  expect(dead(null, 1, 'subscription deleted')).toEqual({ kind: 'abandoned', error: 'subscription deleted' });
  expect(whyNext({ ...pending(200, 1, 0), status: 'success' }, CLOSED)).toEqual({ kind: 'delivered' });
});
