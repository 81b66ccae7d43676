import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { ApiError, rateLimited } from '@tieline/platform/http';
import type { LocalRates } from './local-rates.js';
import { RateLimiterUnavailable } from '../rate-limiter.js';
import type { RateDecision, RateLimiter } from '../rate-limiter.js';
import type { RateRule } from '../rate-rule.js';

/** How long a request waits for hits that may be refunded, in milliseconds. */
const PATIENCE_MS = 5_000;
/**
 * For requests in progress in other processes: interval and number of further attempts before the
 * 429.
 */
const ELSEWHERE_MS = 40;
const ELSEWHERE_TRIES = 5;
/** Refused requests have a separate limit: this many times the rate. */
const REFUSED_FACTOR = 10;

/** Options of a charged request. */
export interface ChargeOptions<T> {
  /** Counts while the limiter's store is down, for endpoints that stay open then. */
  local?: LocalRates | undefined;
  /**
   * Looks for the stored result of an earlier request with the same idempotency key. Called only
   * when a rate is used up.
   */
  findRepeat?: (() => Promise<T | undefined>) | undefined;
  /** Whether the result comes from an earlier request, so that this one uses no rate. */
  isRepeat?: (result: T) => boolean;
}

/** How to recognize the repeat of an earlier request. */
export type Repeats<T> = Pick<ChargeOptions<T>, 'findRepeat' | 'isRepeat'>;

/** Where and when the hits were counted. */
interface Hits {
  local: LocalRates | undefined;
  askedAt: number;
}

/**
 * Counts a request against its rates, then does the work. Either all rules are counted or none.
 * Refused requests (4xx other than 429) and repeats use no rate, even while they are in progress:
 * requests that find the limit used up by unsettled ones wait until these settle. Refused requests
 * have a separate limit, ten times the rate. This is exact within a process. Across processes a
 * request waits 200 ms for the others, once per window.
 * @throws 429 with `Retry-After` when a rate is used up, or the limit of refused requests; 503 when
 * the limiter's store is down
 */
export async function charged<T>(
  limiter: RateLimiter,
  rules: RateRule[],
  work: () => Promise<T>,
  options: ChargeOptions<T> = {},
): Promise<T> {
  const admitted = await admit(limiter, rules, options);
  if ('repeat' in admitted) return admitted.repeat;
  const { hits } = admitted;
  try {
    const result = await work();
    if (options.isRepeat?.(result)) await giveBack(limiter, rules, hits);
    else limiter.pending.count(rules, hits.askedAt);
    return result;
  } catch (error) {
    if (!isRefusal(error)) {
      limiter.pending.count(rules, hits.askedAt);
      throw error;
    }
    await giveBack(limiter, rules, hits);
    throw await countRefusal(limiter, rules, error, hits.local);
  }
}

/** Returns whether an error refuses a request, so that it uses no rate. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

/**
 * Counts a refused request against the limit of refused ones.
 * @returns the error to answer with: the refusal, or a 429 when there were too many
 */
export async function countRefusal(
  limiter: RateLimiter,
  rules: readonly RateRule[],
  refusal: ApiError,
  local?: LocalRates,
): Promise<ApiError> {
  limiter.countedRefusals.add(refusal);
  const refused = rules.map((rule) => ({
    ...rule,
    key: `${rule.key}:refused`,
    limit: rule.limit * REFUSED_FACTOR,
  }));
  if (local) {
    const decision = consumeLocally(local, refused);
    return decision.allowed ? refusal : rateLimited(decision.retryAfterSeconds);
  }
  try {
    const decision = await limiter.consume(refused);
    return decision.allowed ? refusal : rateLimited(decision.retryAfterSeconds);
  } catch (error) {
    // The store is down: the caller still learns why the request was refused.
    if (error instanceof RateLimiterUnavailable) return refusal;
    throw error;
  }
}

async function admit<T>(
  limiter: RateLimiter,
  rules: RateRule[],
  { local, findRepeat }: ChargeOptions<T>,
): Promise<{ hits: Hits } | { repeat: T }> {
  const { pending } = limiter;
  const room = new RoomFinder(limiter, rules);
  for (let tries = 0; ; tries += 1) {
    const askedAt = performance.now();
    const releases = pending.releasesOf(rules);
    const { decision, isLocal } = await consume(limiter, rules, local);
    if (decision.allowed) {
      pending.begin(rules);
      return { hits: { local: isLocal ? local : undefined, askedAt } };
    }
    const repeat = tries === 0 ? await findRepeat?.() : undefined;
    if (repeat !== undefined) return { repeat };
    if (await room.mayCome(decision, releases)) continue;
    // A request in progress may have been the first one with this key.
    const late = tries > 0 ? await findRepeat?.() : undefined;
    if (late !== undefined) return { repeat: late };
    limiter.refused(decision.rule);
    throw rateLimited(decision.retryAfterSeconds);
  }
}

/** Waits for room in a limit that is used up. */
class RoomFinder {
  private readonly giveUpAt = performance.now() + PATIENCE_MS;
  private triesElsewhere = 0;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly rules: readonly RateRule[],
  ) {}

  /**
   * Waits until there may be room. @param releases before the store was queried @returns false when
   * there will be none in this window
   */
  async mayCome(
    { rule, retryAfterSeconds }: RateDecision & { allowed: false },
    releases: number,
  ): Promise<boolean> {
    const { pending } = this.limiter;
    // Requests of the same batch must register their pending hits first.
    await turn();
    const patience = this.giveUpAt - performance.now();
    if (patience <= 0) return false;
    if (pending.releasesOf(this.rules) > releases) return true;
    if (pending.isPending(rule)) {
      await pending.settled(rule, Math.min(patience, retryAfterSeconds * 1000));
      return true;
    }
    if (!pending.isElsewhere(rule)) return false;
    if ((this.triesElsewhere += 1) <= ELSEWHERE_TRIES) {
      await sleep(ELSEWHERE_MS);
      return true;
    }
    pending.confirm(rule);
    return false;
  }
}

async function consume(
  limiter: RateLimiter,
  rules: RateRule[],
  local: LocalRates | undefined,
): Promise<{ decision: RateDecision; isLocal: boolean }> {
  try {
    return { decision: await limiter.tryConsume(rules), isLocal: false };
  } catch (error) {
    if (!local || !(error instanceof RateLimiterUnavailable)) throw error;
    return { decision: consumeLocally(local, rules), isLocal: true };
  }
}

async function giveBack(limiter: RateLimiter, rules: RateRule[], { local }: Hits): Promise<void> {
  if (local) for (const rule of rules) local.refund(rule);
  else await limiter.refund(rules);
  limiter.pending.release(rules);
}

function consumeLocally(local: LocalRates, rules: readonly RateRule[]): RateDecision {
  const full = rules.filter((rule) => !local.consume(rule));
  const [rule] = full;
  const longest = Math.max(...full.map(({ windowMs }) => windowMs));
  return rule ? { allowed: false, retryAfterSeconds: Math.ceil(longest / 1000), rule } : { allowed: true };
}
