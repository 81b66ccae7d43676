import type { DeliveryDetail, DeliverySummary } from '@tieline/delivery';

/** A line of a delivery log (decisions, section 7); `next_attempt_at` is null once it has ended. */
export interface DeliveryView {
  delivery_id: string;
  event_id: string;
  event_type: string;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  created_at: string;
}

/** One attempt; `status_code` is null and `error` says why when no answer came. */
interface AttemptView {
  at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response: string;
}

/** One delivery with what is sent and what came back. */
export interface DeliveryDetailView extends DeliveryView {
  /** Why it is dead, or why its last attempt failed. */
  error: string | null;
  request: { headers: Record<string, string>; body: string };
  attempt_log: AttemptView[];
}

/** How admins see a delivery in a list. */
export function deliveryView({
  id,
  eventId,
  eventType,
  status,
  attempts,
  nextAttemptAt,
  createdAt,
}: DeliverySummary): DeliveryView {
  return {
    delivery_id: id,
    event_id: eventId,
    event_type: eventType,
    status,
    attempts,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}

/** How admins see one delivery: the signature is shown, the secret never. */
export function deliveryDetailView(delivery: DeliveryDetail): DeliveryDetailView {
  return {
    ...deliveryView(delivery),
    error: delivery.error,
    request: { headers: delivery.headers, body: delivery.body?.toString('utf8') ?? '' },
    attempt_log: delivery.attemptLog.map(({ at, statusCode, durationMs, error, response }) => ({
      at: at.toISOString(),
      status_code: statusCode,
      duration_ms: durationMs,
      error,
      response,
    })),
  };
}

/** For the OpenAPI document. */
export const DELIVERY_EXAMPLE: DeliveryView = {
  delivery_id: '0190f2a4-7c1b-7000-8000-00000000dddd',
  event_id: '0190f2a4-7c1b-7000-8000-00000000eeee',
  event_type: 'MESSAGE_CREATED',
  status: 'pending',
  attempts: 1,
  next_attempt_at: '2026-01-02T03:04:10.678Z',
  created_at: '2026-01-02T03:04:05.678Z',
};

/** For the OpenAPI document. */
export const DELIVERY_DETAIL_EXAMPLE: DeliveryDetailView = {
  ...DELIVERY_EXAMPLE,
  error: null,
  request: {
    headers: { 'X-Service-Event': 'MESSAGE_CREATED', 'X-Service-Signature': 'sha256=…' },
    body: '{"event_id":"…"}',
  },
  attempt_log: [
    { at: '2026-01-02T03:04:05.700Z', status_code: 503, duration_ms: 12, error: null, response: 'busy' },
  ],
};
