import { Injectable } from '@nestjs/common';
import type { UserPrincipal } from '@tieline/platform/http';
import { charged, LocalRates, RateLimiter } from '@tieline/rate-limit';
import type { RateRule, Repeats } from '@tieline/rate-limit';
import { PersonRateSettings } from '../conversations.settings.js';

const SECOND_MS = 1000;

/** RATE_USER_WRITES_PER_SECOND: counts every write request of a person. */
export function personWriteRule({ writesPerSecond }: PersonRateSettings, userId: string): RateRule {
  return { key: `user:{${userId}}:writes`, limit: writesPerSecond, windowMs: SECOND_MS };
}

/**
 * Enforces RATE_USER_WRITES_PER_SECOND: one counter per person for all writes
 * (docs/client-api.md#rate-limits).
 */
@Injectable()
export class PersonRates {
  private readonly local = new LocalRates();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: PersonRateSettings,
  ) {}

  /**
   * Counts a write and runs it. Falls back to a counter in this process while the limiter's store
   * is unavailable.
   * @throws 429
   */
  charged<T>({ userId }: UserPrincipal, work: () => Promise<T>, repeats: Repeats<T> = {}): Promise<T> {
    const rule = personWriteRule(this.settings, userId);
    return charged(this.limiter, [rule], work, { ...repeats, local: this.local });
  }
}
