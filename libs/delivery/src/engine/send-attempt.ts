import { TOO_LATE } from '@tieline/egress';
import type { EgressClient, EgressResult } from '@tieline/egress';
import { inTrace, spanned } from '@tieline/platform/tracing';
import type { SpanFacts } from '@tieline/platform/tracing';
import type { AttemptFailure, DeliveryKind, DeliveryTarget } from './delivery-kinds.js';
import type { AttemptRecord, ClaimedDelivery, Outcome, Result } from './delivery.types.js';
import { backoffMs, extendedBackoffMs, retryAfterMs } from './results/retry-policy.js';
import type { RetryPolicy } from './results/retry-policy.js';

/** Settings of every attempt. */
export interface AttemptPolicy extends RetryPolicy {
  timeoutMs: number;
  maxAttempts: number;
}

const LOGGED_RESPONSE_BYTES = 4096;
/**
 * Time limit for the response body. The status alone decides; the body is for the log and
 * `retry_after` and must not occupy a place for longer.
 */
const BODY_MS = 1000;
/**
 * Responses from this status on count as failures of the receiver, like aborted connections and
 * timeouts.
 */
const SERVER_FAULT = 500;

/** How an attempt is sent. */
interface Sending {
  /** Time of `performance.now()` from which it must not be written any more. */
  sendBy: number;
  lastFailure: AttemptFailure | undefined;
}

/** Sends one attempt and decides the outcome. Never throws. */
export async function sendAttempt(
  egress: Pick<EgressClient, 'post'>,
  policy: AttemptPolicy,
  { kind, target }: { kind: DeliveryKind; target: DeliveryTarget },
  delivery: ClaimedDelivery,
  { sendBy, lastFailure }: Sending,
): Promise<Result> {
  const at = new Date();
  const facts = { attempt: delivery.attempts + 1, now: at, lastFailure };
  const own = kind.attemptHeaders(delivery, target, facts);
  const headers = { ...delivery.headers, ...own };
  return inTrace(headers['traceparent'], () =>
    spanned(
      () => factsOf(delivery),
      async (traced): Promise<Result> => {
        const result = await egress.post({
          url: target.url,
          headers: { ...headers, ...traced.headers },
          body: delivery.body ?? Buffer.alloc(0),
          timeoutMs: policy.timeoutMs,
          bodyMs: BODY_MS,
          publicOnly: kind.reach === 'public',
          sendBy,
        });
        const outcome = decide(policy, kind, delivery, result);
        const status = result.kind === 'response' ? { 'http.response.status_code': result.status } : {};
        traced.tell({ ...status, 'tieline.outcome': outcome.kind }, outcome.kind !== 'delivered');
        const record = {
          ...toRecord(at, result),
          ...(kind.keepsAttemptHeaders === true && { headers: own }),
        };
        const isTooLate = result.kind === 'transport_error' && result.code === TOO_LATE;
        return { delivery, attempt: record, health: healthOf(result), outcome, isTooLate };
      },
    ),
  );
}

const factsOf = (delivery: ClaimedDelivery): SpanFacts => ({
  name: `deliver ${delivery.kind}`,
  attributes: {
    'tieline.delivery_id': delivery.id,
    'tieline.event_id': delivery.eventId,
    'tieline.event_type': delivery.eventType,
    'tieline.space_id': delivery.spaceId,
    'tieline.target_id': delivery.targetId,
    'tieline.attempt': delivery.attempts + 1,
  },
});

function decide(
  policy: AttemptPolicy,
  kind: DeliveryKind,
  delivery: ClaimedDelivery,
  result: EgressResult,
): Outcome {
  if (result.kind === 'refused') return { kind: 'dead', error: result.error };
  const verdict = result.kind === 'response' ? kind.classify(result.status) : 'retry';
  if (verdict === 'success') return { kind: 'delivered' };
  const error = result.kind === 'response' ? `receiver answered ${result.status}` : result.error;
  const attempts = delivery.attempts + 1;
  if (verdict === 'dead' || attempts >= (delivery.maxAttempts || policy.maxAttempts))
    return { kind: 'dead', error };
  const backoff =
    delivery.retryProfile === 'extended' ? extendedBackoffMs(attempts) : backoffMs(policy, attempts);
  return { kind: 'retry', error, at: new Date(Date.now() + (requestedDelay(result) ?? backoff)) };
}

/** Returns the delay that a 429 or 503 requests. It counts as a regular attempt. */
function requestedDelay(result: EgressResult): number | undefined {
  if (result.kind !== 'response') return undefined;
  const header = result.headers['retry-after'];
  return retryAfterMs(
    result.status,
    Array.isArray(header) ? header[0] : header,
    result.body.toString('utf8'),
    new Date(),
  );
}

function healthOf(result: EgressResult): Result['health'] {
  if (result.kind === 'refused') return undefined;
  return result.kind === 'response' && result.status < SERVER_FAULT ? 'alive' : 'failing';
}

function toRecord(at: Date, result: EgressResult): AttemptRecord {
  const base = { at, durationMs: Math.max(0, Math.round(result.durationMs)) };
  if (result.kind !== 'response') return { ...base, statusCode: null, error: result.error, response: '' };
  return {
    ...base,
    statusCode: result.status,
    error: null,
    // Postgres text can't hold NUL.
    response: result.body.subarray(0, LOGGED_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '\uFFFD'),
  };
}
