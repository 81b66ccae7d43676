import type { AttemptView, BreakerView, DeliveryDetailView } from '@tieline/sdk/api';

/** Reason for the state of a delivery and the time of its next attempt, in milliseconds. */
export type Why =
  | { kind: 'delivered' }
  | { kind: 'first' }
  | { kind: 'ordered' }
  | { kind: 'breaker'; failures: number }
  | { kind: 'retryAfter'; afterMs: number; code: number }
  | { kind: 'backoff'; afterMs: number; attempt: number }
  | { kind: 'redirected'; code: number }
  | { kind: 'refused'; code: number }
  | { kind: 'exhausted'; attempts: number }
  | { kind: 'abandoned'; error: string };

type Delivery = Pick<DeliveryDetailView, 'status' | 'attempts' | 'next_attempt_at' | 'error'> & {
  attempt_log: readonly AttemptView[];
};

/** Statuses that can come with a `Retry-After`. */
const MAY_NAME_TIME = [429, 503];
/** Jitter of the retry schedule, plus the difference between clocks. */
const STRAY = 0.25;
const FIRST_DELAY_MS = 5000;
const EXTENDED_DELAYS_S = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400];

/** Derives the reason from the log. The API reports the time but not the reason. */
export function whyNext(
  delivery: Delivery,
  { breaker, retry_profile: profile }: { breaker: BreakerView; retry_profile: 'contract' | 'extended' },
): Why {
  if (delivery.status === 'success') return { kind: 'delivered' };
  const last = delivery.attempt_log.at(-1);
  if (delivery.status === 'dead') return whyDead(delivery, last);
  if (delivery.next_attempt_at === null && delivery.attempts === 0) return { kind: 'ordered' };
  if (breaker.state !== 'closed') return { kind: 'breaker', failures: breaker.consecutive_failures };
  if (!last || delivery.next_attempt_at === null) return { kind: 'first' };
  const afterMs = Date.parse(delivery.next_attempt_at) - Date.parse(last.at) - last.duration_ms;
  const code = last.status_code;
  if (code !== null && MAY_NAME_TIME.includes(code) && !isOnSchedule(afterMs, delivery.attempts, profile))
    return { kind: 'retryAfter', afterMs, code };
  return { kind: 'backoff', afterMs, attempt: delivery.attempts };
}

function whyDead({ attempts, error }: Delivery, last: AttemptView | undefined): Why {
  const code = last?.status_code ?? null;
  if (code !== null && code >= 300 && code < 400) return { kind: 'redirected', code };
  if (code !== null && code >= 400 && code < 500 && code !== 408 && code !== 429)
    return { kind: 'refused', code };
  if (attempts > 1) return { kind: 'exhausted', attempts };
  return { kind: 'abandoned', error: error ?? last?.error ?? '' };
}

function isOnSchedule(afterMs: number, attempts: number, profile: 'contract' | 'extended'): boolean {
  const wanted =
    profile === 'extended'
      ? (EXTENDED_DELAYS_S[attempts - 1] ?? 86_400) * 1000
      : FIRST_DELAY_MS * 2 ** (attempts - 1);
  return Math.abs(afterMs - wanted) <= wanted * STRAY;
}
