import { MOST_WAITING } from '@tieline/delivery';
import type { DeliveryCounts } from '@tieline/delivery';
import { Field, OkAnswer } from '@tieline/platform/http';

/** Results of deliveries in a period. */
export class DeliveryCountsView {
  @Field({ example: 1200, description: 'accepted by the receiver with 2xx' })
  delivered: number;

  @Field({ example: 3, description: 'given up' })
  failed: number;

  @Field({ example: 17, description: 'attempts that failed and will be retried' })
  retried: number;

  @Field({
    type: Number,
    example: 0.9975,
    nullable: true,
    description: 'share of delivered among delivered and failed; null if there are none',
  })
  success_rate: number | null;

  @Field({
    type: Number,
    example: 84,
    nullable: true,
    description:
      "median time from planning to the receiver's 2xx in milliseconds, retries included, at most 19 percent off; null without deliveries",
  })
  p50_ms: number | null;

  @Field({ type: Number, example: 410, nullable: true, description: '95th percentile of the same' })
  p95_ms: number | null;
}

/** One minute. */
export class DeliveryMinuteView extends DeliveryCountsView {
  @Field({ example: '2026-11-21T09:00:00.000Z' })
  at: string;
}

/** Deliveries not sent yet. */
export class WaitingView {
  @Field({ example: 4, description: `${MOST_WAITING} at most` })
  deliveries: number;

  @Field({
    type: String,
    example: '2026-11-21T09:00:10.000Z',
    nullable: true,
    description:
      'when the first of them is sent; null if there are none, or if each waits for an earlier one',
  })
  next_at: string | null;
}

export class DeliveryStatsAnswer extends OkAnswer {
  @Field({ type: DeliveryCountsView, description: 'the whole hour' })
  total: DeliveryCountsView;

  @Field({
    type: DeliveryMinuteView,
    isArray: true,
    description: '60 minutes, oldest first; the last one is not complete',
  })
  minutes: DeliveryMinuteView[];

  @Field({ type: WaitingView })
  waiting: WaitingView;
}

export function countsView({ delivered, failed, retried, p50Ms, p95Ms }: DeliveryCounts): DeliveryCountsView {
  const ended = delivered + failed;
  return {
    delivered,
    failed,
    retried,
    success_rate: ended === 0 ? null : Math.round((delivered / ended) * 10_000) / 10_000,
    p50_ms: p50Ms,
    p95_ms: p95Ms,
  };
}
