import { Injectable } from '@nestjs/common';
import { charged, RateLimiter } from '@tieline/rate-limit';
import type { PortalSubscription } from './portal-links.js';

/** Test and redelivery requests per second and subscription. */
const SENDS_PER_SECOND = 5;

/** Limits how much the portal of a subscription may send. */
@Injectable()
export class PortalRate {
  constructor(private readonly limiter: RateLimiter) {}

  /** Runs `work` within the rate limit. @throws 429 */
  charge<T>({ id }: PortalSubscription, work: () => Promise<T>): Promise<T> {
    const rule = { key: `portal:${id}`, limit: SENDS_PER_SECOND, windowMs: 1000 };
    return charged(this.limiter, [rule], work);
  }
}
