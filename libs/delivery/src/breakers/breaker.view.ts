import { Field } from '@tieline/platform/http';

const STATES = ['closed', 'open', 'half_open'] as const;
/** `half_open`: the next delivery is sent as a probe. */
export type BreakerState = (typeof STATES)[number];

/**
 * Whether deliveries to a target wait because it keeps failing
 * (docs/outgoing-webhooks.md#circuit-breaker).
 */
export class BreakerView {
  @Field({
    enum: STATES,
    example: 'open',
    description: '`open`: deliveries wait. `half_open`: the next one is sent as a probe',
  })
  state: BreakerState;

  @Field({
    example: '2026-11-21T09:00:30.000Z',
    optional: true,
    description: 'for `open`: when the next delivery is sent as a probe',
  })
  open_until?: string;

  @Field({ example: 10, description: 'consecutive 5xx responses, timeouts and failed connections' })
  consecutive_failures: number;
}
