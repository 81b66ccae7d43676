import type { DeliverySummary } from '@tieline/delivery';

/** One line of the delivery log (decisions, section 7). */
export function deliveryView(delivery: DeliverySummary): Record<string, unknown> {
  return {
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
  };
}

/** A line of the log in the OpenAPI document. */
export const DELIVERY_EXAMPLE: Record<string, unknown> = {
  delivery_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d21',
  event_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d22',
  event_type: 'MESSAGE_CREATED',
  status: 'success',
  attempts: 1,
  next_attempt_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
};
