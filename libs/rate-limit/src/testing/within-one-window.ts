import type { INestApplicationContext } from '@nestjs/common';
import { RateLimiter } from '../rate-limiter.js';
import type { RateRule } from '../rate-rule.js';

/** A little less than a window of one second. */
const WINDOW_MS = 900;
const LONGEST = 64;

/**
 * Repeats `work` until its requests were within one window of the rates "per second": if they take
 * longer, windows last twice as long the next time. `Retry-After` stays that of one second. `work`
 * may assert, and creates new callers each time, so that attempts are independent.
 */
export async function withinOneWindow<T>(
  { app }: { app: INestApplicationContext },
  work: () => Promise<T>,
): Promise<T> {
  const limiter = app.get(RateLimiter, { strict: false });
  for (let factor = 1; factor <= LONGEST; factor *= 2) {
    const since = performance.now();
    const fits = (): boolean => performance.now() - since < factor * WINDOW_MS;
    const release = stretchWindows(limiter, factor);
    try {
      const result = await work();
      if (fits()) return result;
    } catch (error) {
      if (fits()) throw error;
    } finally {
      release();
    }
  }
  throw new Error(`the requests did not fit into ${LONGEST} seconds`);
}

/**
 * Makes windows that begin from now on `factor` times as long. @returns a function that undoes it
 */
function stretchWindows(limiter: RateLimiter, factor: number): () => void {
  const { consume, tryConsume, refund } = limiter;
  const longerRules = new WeakMap<readonly RateRule[], readonly RateRule[]>();
  const stretched =
    (ask: RateLimiter['consume']): RateLimiter['consume'] =>
    async (rules) => {
      const longer = rules.map((rule) => ({ ...rule, windowMs: rule.windowMs * factor }));
      longerRules.set(rules, longer);
      const decision = await ask.call(limiter, longer);
      return decision.allowed
        ? decision
        : { ...decision, retryAfterSeconds: Math.ceil(decision.retryAfterSeconds / factor) };
    };
  const own: Pick<RateLimiter, 'consume' | 'tryConsume' | 'refund'> = {
    consume: stretched(consume),
    tryConsume: stretched(tryConsume),
    refund: (rules) => refund.call(limiter, longerRules.get(rules) ?? rules),
  };
  Object.assign(limiter, own);
  return () => Object.keys(own).forEach((name) => Reflect.deleteProperty(limiter, name));
}
