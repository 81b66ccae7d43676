import { DeliveryView, deliveryView, TrialResultView } from '@tieline/delivery';
import type { DeliveryDetail } from '@tieline/delivery';
import { Field, OkAnswer } from '@tieline/platform/http';

class AttemptView {
  @Field({ example: '2026-01-02T03:04:05.700Z' })
  at: string;

  @Field({ example: 503, nullable: true, description: 'null without a response; see `error`' })
  status_code: number | null;

  @Field({ example: 12 })
  duration_ms: number;

  @Field({ example: 'timeout', nullable: true })
  error: string | null;

  @Field({ example: 'busy', description: 'the first 4 KiB of the response' })
  response: string;
}

class DeliveryRequestView {
  @Field({
    ofTexts: true,
    example: { 'X-Service-Event': 'MESSAGE_CREATED', 'X-Service-Signature': 'sha256=…' },
  })
  headers: Record<string, string>;

  @Field({ example: '{"event_id":"…"}' })
  body: string;
}

/** A delivery with its request and attempts. */
export class DeliveryDetailView extends DeliveryView {
  @Field({
    example: 'subscription inactive',
    nullable: true,
    description: 'why the delivery or its last attempt failed',
  })
  error: string | null;

  @Field({ type: DeliveryRequestView })
  request: DeliveryRequestView;

  @Field({ type: AttemptView, isArray: true })
  attempt_log: AttemptView[];
}

export class DeliveryAnswer extends OkAnswer {
  @Field({ type: DeliveryDetailView })
  delivery: DeliveryDetailView;
}

export class PlannedDeliveryAnswer extends OkAnswer {
  @Field({ example: '0190f2a4-7c1b-7000-8000-00000000dddd' })
  delivery_id: string;
}

export class TrialAnswer extends PlannedDeliveryAnswer {
  @Field({ type: TrialResultView })
  result: TrialResultView;
}

/** Builds the admin view. It includes the signature, never the secret. */
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
