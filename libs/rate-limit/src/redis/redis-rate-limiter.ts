import { openRedis } from '@tieline/redis';
import type { RedisClient } from '@tieline/redis';
import { DEADLINE_MS, decided } from '../deadline.js';
import { HitAges } from '../hit-ages.js';
import { RateLimiter } from '../rate-limiter.js';
import type { RateDecision } from '../rate-limiter.js';
import type { RateRule } from '../rate-rule.js';
import { CONSUME_SCRIPT, REFUND_SCRIPT } from './redis-scripts.js';

/** How long hits that were counted too late are still refunded. */
const LATE_MS = 10_000;

/**
 * `[granted hits, position of the refusing rule from 1 or 0, milliseconds until its window ends]`
 */
type Reply = [number, number, number];

interface Scripts {
  rateConsume(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<Reply>;
  rateRefund(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number>;
}

/** Settings of a {@link RedisRateLimiter}. */
export interface RedisRateLimiterSettings {
  redisUrl: string;
  /** Prefix of every key; `tieline:rate:` by default. */
  keyPrefix?: string;
  /** Called when a connection was lost or could not be opened. */
  onFailure?: (error: Error) => void;
  /** Timeout of a decision in milliseconds, {@link DEADLINE_MS} by default. */
  deadlineMs?: number;
}

/**
 * Counts in Redis: one script per call, all scripts of one turn of the event loop in one pipeline.
 * Counters that Redis loses restart at zero. The keys of one call must be on one node: in a cluster
 * they need a common hash tag.
 */
export class RedisRateLimiter extends RateLimiter {
  private readonly redis: RedisClient & Scripts;
  private readonly ages = new HitAges();
  private readonly keyPrefix: string;
  private readonly deadlineMs: number;
  private connecting: Promise<void> | undefined;

  constructor({
    redisUrl,
    keyPrefix = 'tieline:rate:',
    onFailure,
    deadlineMs = DEADLINE_MS,
  }: RedisRateLimiterSettings) {
    super();
    this.deadlineMs = deadlineMs;
    this.keyPrefix = keyPrefix;
    const redis = openRedis(redisUrl, {
      connectionName: 'tieline-rate-limit',
      enableAutoPipelining: true,
      // A request is refused immediately instead of queued until Redis returns.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: deadlineMs,
      commandTimeout: LATE_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    });
    redis.on('error', (error: Error) => onFailure?.(error));
    redis.defineCommand('rateConsume', { lua: CONSUME_SCRIPT });
    redis.defineCommand('rateRefund', { lua: REFUND_SCRIPT });
    this.redis = redis as RedisClient & Scripts;
  }

  override async consume(rules: readonly RateRule[]): Promise<RateDecision> {
    const [hits, refusing, waitMs] = await this.ask(rules, 0);
    if (hits > 0) {
      this.ages.counted(rules);
      return { allowed: true };
    }
    return {
      allowed: false,
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      rule: rules[refusing - 1] as RateRule,
    };
  }

  override async take(key: string, limit: number, windowMs: number, wanted: number): Promise<number> {
    if (wanted < 1) return 0;
    return (await this.ask([{ key, limit, windowMs }], wanted))[0];
  }

  override async refund(rules: readonly RateRule[]): Promise<void> {
    const ageMs = Math.floor(this.ages.of(rules));
    const windows = rules.map((rule) => rule.windowMs);
    const refund = this.redis.rateRefund(rules.length, ...this.keysOf(rules), ageMs, ...windows);
    await decided(refund, this.deadlineMs).catch(() => undefined);
  }

  override async check(): Promise<void> {
    await decided(
      this.reachable().then(() => this.redis.ping()),
      this.deadlineMs,
    );
  }

  override async close(): Promise<void> {
    this.redis.disconnect();
  }

  private ask(rules: readonly RateRule[], wanted: number): Promise<Reply> {
    const limits = rules.flatMap((rule) => [rule.limit, rule.windowMs]);
    const call = (): Promise<Reply> =>
      this.redis.rateConsume(rules.length, ...this.keysOf(rules), wanted, ...limits);
    return decided(
      this.redis.status === 'ready' ? call() : this.reachable().then(call),
      this.deadlineMs,
      ([hits]) => void (hits > 0 && wanted === 0 && this.refund(rules)),
    );
  }

  private keysOf(rules: readonly RateRule[]): string[] {
    return rules.map((rule) => this.keyPrefix + rule.key);
  }

  /** Waits for the first connection, but not for one that was lost. All calls wait together. */
  private reachable(): Promise<void> {
    if (!['connecting', 'connect'].includes(this.redis.status)) return Promise.resolve();
    this.connecting ??= new Promise<void>((resolve) => {
      const done = (): void => {
        this.redis.off('ready', done).off('close', done);
        this.connecting = undefined;
        resolve();
      };
      this.redis.on('ready', done).on('close', done);
    });
    return this.connecting;
  }
}
