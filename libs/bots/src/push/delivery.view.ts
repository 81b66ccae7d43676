import type { DeliverySummary } from '@tieline/delivery';
import { Field, PageAnswer } from '@tieline/platform/http';

/** One line of the delivery log (decisions, section 7). */
export class BotDeliveryView {
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

  @Field({ example: '2026-11-21T09:00:10.000Z', nullable: true })
  next_attempt_at: string | null;

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  created_at: string;
}

export class BotDeliveriesPage extends PageAnswer {
  @Field({ type: BotDeliveryView, isArray: true })
  deliveries: BotDeliveryView[];
}

export function deliveryView(delivery: DeliverySummary): BotDeliveryView {
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
