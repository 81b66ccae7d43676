import { Field, PageAnswer } from '@tieline/platform/http';
import type { DeliverySummary } from './delivery.queries.js';

/** An entry of a delivery log. */
export class DeliveryView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d21' })
  delivery_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d22' })
  event_id: string;

  @Field({ example: 'MESSAGE_CREATED' })
  event_type: string;

  @Field({ enum: ['pending', 'success', 'dead'], example: 'success' })
  status: DeliverySummary['status'];

  @Field({ example: 1 })
  attempts: number;

  @Field({
    example: '2026-11-21T09:00:10.000Z',
    nullable: true,
    description: 'null after it has ended, or while it waits for an earlier delivery of its conversation',
  })
  next_attempt_at: string | null;

  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d23',
    optional: true,
    description: 'the latest redelivery. Once it has succeeded, `filter=failed` excludes this delivery',
  })
  redelivered_as?: string;

  @Field({
    example: 200,
    nullable: true,
    optional: true,
    description: 'HTTP status of the last attempt. Null without a response, missing before the first attempt',
  })
  last_status_code?: number | null;

  @Field({
    example: 87,
    optional: true,
    description: 'duration of the last attempt in milliseconds, missing before the first attempt',
  })
  last_duration_ms?: number;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  created_at: string;
}

export class DeliveriesPage extends PageAnswer {
  @Field({ type: DeliveryView, isArray: true })
  deliveries: DeliveryView[];
}

/** Returns a delivery as lists show it. */
export function deliveryView(delivery: DeliverySummary): DeliveryView {
  return {
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    ...(delivery.redeliveredAs !== null && { redelivered_as: delivery.redeliveredAs }),
    ...(delivery.lastAttempt !== null && {
      last_status_code: delivery.lastAttempt.statusCode,
      last_duration_ms: delivery.lastAttempt.durationMs,
    }),
    created_at: delivery.createdAt.toISOString(),
  };
}
