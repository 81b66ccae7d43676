import { Injectable } from '@nestjs/common';
import { charged, RateLimiter } from '@tieline/rate-limit';
import type { PortalOf } from './portal-links.js';

/** Sends and redeliveries of one portal in a second. */
const SENDS_PER_SECOND = 5;

/** What the portal of one subscription may send. */
@Injectable()
export class PortalRate {
  constructor(private readonly limiter: RateLimiter) {}

  /** Does what sends something. @throws 429 */
  charge<T>({ id }: PortalOf, work: () => Promise<T>): Promise<T> {
    const rule = { key: `portal:${id}`, limit: SENDS_PER_SECOND, windowMs: 1000 };
    return charged(this.limiter, [rule], work);
  }
}
