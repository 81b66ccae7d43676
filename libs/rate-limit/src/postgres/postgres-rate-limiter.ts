import pg from 'pg';
import { applySettings, Loop } from '@tieline/background';
import { microBatch, orderedValues } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import { DEADLINE_MS, decided } from '../deadline.js';
import { HitAges } from '../hit-ages.js';
import { consumeParameters, refundParameters } from './rate-batch.js';
import type { RateCall, RefundEntry } from './rate-batch.js';
import { CONSUME, REFUND, SWEEP } from './rate-limit.statements.js';
import { RateLimiter, RateLimiterUnavailable } from '../rate-limiter.js';
import type { RateDecision } from '../rate-limiter.js';
import type { RateRule } from '../rate-rule.js';

const SWEEP_INTERVAL_MS = 30_000;
const SWEEP_ROWS = 5_000;

/** A batch must start this long before the deadline of its calls. */
const BATCH_MS = 200;

interface PendingCall extends RateCall {
  /** A batch that starts later might be counted after its callers gave up. */
  startBy: number;
}

interface Grant {
  hits: number;
  /** Position of the refusing rule, from 1; 0 when none. */
  refusing: number;
  waitMs: number;
}

/** Settings of a {@link PostgresRateLimiter}. */
export interface PostgresRateLimiterSettings {
  databaseUrl: string;
  /** Interval in milliseconds between two removals of ended windows, 30,000 by default. */
  sweepIntervalMs?: number;
  /** Timeout of a decision in milliseconds, {@link DEADLINE_MS} by default. */
  deadlineMs?: number;
}

/**
 * Counts in an UNLOGGED table. Calls during a statement share the next one, so that the cost of a
 * call falls with the load. It has separate connections: a request must not wait for its limit
 * behind transactions of other requests.
 */
export class PostgresRateLimiter extends RateLimiter {
  private readonly pool: pg.Pool;
  private readonly ages = new HitAges();
  private readonly decide = microBatch<PendingCall, Grant>((calls) => this.runConsume(calls), {
    maxBatch: 500,
  });
  private readonly giveBack = microBatch<RefundEntry, void>((entries) => this.runRefund(entries), {
    maxBatch: 500,
  });
  private readonly sweeper: Loop;
  private readonly deadlineMs: number;
  private closed = false;

  constructor({
    databaseUrl,
    sweepIntervalMs = SWEEP_INTERVAL_MS,
    deadlineMs = DEADLINE_MS,
  }: PostgresRateLimiterSettings) {
    super();
    this.deadlineMs = deadlineMs;
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      application_name: 'tieline-rate-limit',
      max: 2,
      keepAlive: true,
      // The first request after a quiet period does not wait for a new connection.
      idleTimeoutMillis: 300_000,
      connectionTimeoutMillis: deadlineMs,
      query_timeout: deadlineMs,
      // Shorter than our own timeout, so that the statement is rolled back instead of ignored.
      onConnect: (client) =>
        applySettings(client, { statement_timeout: deadlineMs - 100 }) as unknown as void,
    });
    // An idle connection that breaks is replaced at the next statement.
    this.pool.on('error', () => undefined);
    // Failures are left to the next run: consume reports a store that is down.
    this.sweeper = new Loop(() => this.sweep(), { everyMs: sweepIntervalMs });
  }

  override async consume(rules: readonly RateRule[]): Promise<RateDecision> {
    const grant = await this.ask(rules, 0);
    if (grant.hits > 0) {
      this.ages.counted(rules);
      return { allowed: true };
    }
    const rule = rules[grant.refusing - 1] as RateRule;
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(grant.waitMs / 1000)), rule };
  }

  override async take(key: string, limit: number, windowMs: number, wanted: number): Promise<number> {
    if (wanted < 1) return 0;
    // More than the limit is never granted, and sums must stay integers of 32 bits.
    return (await this.ask([{ key, limit, windowMs }], Math.max(1, Math.min(wanted, limit)))).hits;
  }

  override async refund(rules: readonly RateRule[]): Promise<void> {
    const ageMs = this.ages.of(rules);
    const entries = rules.map((rule) => this.giveBack({ key: rule.key, ageMs }));
    await Promise.allSettled(entries);
  }

  override async check(): Promise<void> {
    await decided(this.pool.query('SELECT 1'), this.deadlineMs);
  }

  override async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.sweeper.stop();
    await this.pool.end();
  }

  private async ask(rules: readonly RateRule[], wanted: number): Promise<Grant> {
    if (this.closed) throw new RateLimiterUnavailable(new Error('closed'));
    // Started late: a program whose start fails leaves nothing running.
    this.sweeper.start();
    const grant = await decided(
      this.decide({ rules, wanted, startBy: performance.now() + this.deadlineMs - BATCH_MS }),
      this.deadlineMs,
      ({ hits }) => void (hits > 0 && wanted === 0 && this.refund(rules)),
    );
    if (grant === UNDECIDED) throw new RateLimiterUnavailable(new Error('too many calls are waiting'));
    return grant;
  }

  private async runConsume(calls: PendingCall[]): Promise<Grant[]> {
    const now = performance.now();
    const awaited = calls.filter((call) => call.startBy > now);
    if (awaited.length === 0) return calls.map(() => UNDECIDED);
    const { rows } = await this.pool.query<RowOf<typeof CONSUME>>({
      ...CONSUME,
      values: orderedValues(CONSUME, consumeParameters(awaited)),
    });
    const grants = grantsOf(rows[0] as RowOf<typeof CONSUME>, awaited);
    if (awaited.length === calls.length) return grants;
    let next = 0;
    return calls.map((call) => (call.startBy > now ? (grants[next++] as Grant) : UNDECIDED));
  }

  private async runRefund(entries: RefundEntry[]): Promise<void[]> {
    await this.pool.query({ ...REFUND, values: orderedValues(REFUND, refundParameters(entries)) });
    return entries.map(() => undefined);
  }

  /** Deletes one step of ended windows. @returns whether there may be more */
  private async sweep(): Promise<boolean> {
    return ((await this.pool.query({ ...SWEEP, values: [SWEEP_ROWS] })).rowCount ?? 0) === SWEEP_ROWS;
  }
}

/** The grant of calls that had waited too long before their batch started. */
const UNDECIDED: Grant = { hits: 0, refusing: 0, waitMs: 0 };

function grantsOf(row: RowOf<typeof CONSUME>, calls: readonly RateCall[]): Grant[] {
  const { granted, refusing, waitMs: waits } = row;
  if (granted === null || refusing === null || waits === null)
    return calls.map((call) => ({ hits: Math.max(call.wanted, 1), refusing: 0, waitMs: 0 }));
  return calls.map((_, index) => ({
    hits: granted[index] as number,
    refusing: refusing[index] as number,
    waitMs: waits[index] as number,
  }));
}
