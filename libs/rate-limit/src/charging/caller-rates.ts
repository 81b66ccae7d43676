import { Injectable } from '@nestjs/common';
import { callerKey, WriteCharges } from '@tieline/platform/http';
import type { ChargedPrincipal } from '@tieline/platform/http';
import { charged, countRefusal, isRefusal } from './charge.js';
import { LocalRates } from './local-rates.js';
import { RateLimiter } from '../rate-limiter.js';
import type { RateRule } from '../rate-rule.js';
import { CallerRateSettings } from '../rate-limit.settings.js';

const MINUTE_MS = 60_000;

type RuleOf = (callerId: string) => RateRule;

/**
 * Charges every route that writes (docs/errors.md#rates). A route with `@HasOwnRate()` charges its
 * requests itself. Of these, only refusals before that are counted here, such as invalid bodies.
 */
@Injectable()
export class CallerRates extends WriteCharges {
  private readonly local = new LocalRates();
  private readonly writes = new Map<ChargedPrincipal['kind'], RuleOf>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: CallerRateSettings,
  ) {
    super();
  }

  /**
   * Registers the write rate of one kind of caller. Ten times that rate limits the refusals of
   * routes with their own rate.
   */
  register(kind: ChargedPrincipal['kind'], ruleOf: RuleOf): void {
    this.writes.set(kind, ruleOf);
  }

  override charge<T>(principal: ChargedPrincipal, work: () => Promise<T>): Promise<T> {
    return charged(this.limiter, [this.defaultRule(callerKey(principal))], work, { local: this.local });
  }

  override async countRefusal(principal: ChargedPrincipal, error: unknown): Promise<unknown> {
    if (!isRefusal(error) || this.limiter.countedRefusals.has(error)) return error;
    const caller = callerKey(principal);
    const rule = this.writes.get(principal.kind)?.(caller) ?? this.defaultRule(caller);
    return countRefusal(this.limiter, [rule], error);
  }

  private defaultRule(caller: string): RateRule {
    return {
      key: `caller:{${caller}}:other`,
      limit: this.settings.otherWritesPerMinute,
      windowMs: MINUTE_MS,
    };
  }
}
