import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, eventually, testRedisUrl } from '@tieline/testing';
import { PostgresRateLimiter } from './postgres/postgres-rate-limiter.js';
import type { RateDecision, RateLimiter } from './rate-limiter.js';
import type { RateRule } from './rate-rule.js';
import { RedisRateLimiter } from './redis/redis-rate-limiter.js';

/** Longer than a decision takes on a busy machine. */
const deadlineMs = 60_000;
const redisUrl = await testRedisUrl();
const database = await createTestDatabase();
const open: RateLimiter[] = [];
let keys = 0;

const adapters: [string, () => RateLimiter][] = [
  ['Postgres', () => new PostgresRateLimiter({ databaseUrl: database.url, deadlineMs })],
];
if (redisUrl !== undefined) adapters.push(['Redis', () => new RedisRateLimiter({ redisUrl, deadlineMs })]);

afterAll(() => database.drop());

function rule(limit: number, windowMs = 3_600_000, key = `key-${(keys += 1)}`): RateRule {
  return { key, limit, windowMs };
}

function allowedOf(decisions: RateDecision[]): number {
  return decisions.filter((decision) => decision.allowed).length;
}

/**
 * Runs `work` with longer windows until it returns true. It returns false if it took longer than
 * its window, so that it proved nothing.
 */
async function withinWindow(work: (windowMs: number) => Promise<boolean>): Promise<void> {
  for (let windowMs = 400; !(await work(windowMs)); windowMs *= 2);
}

describe.each(adapters)('rate limiter on %s', (_, make) => {
  let limiter: RateLimiter;

  beforeAll(() => {
    limiter = make();
    open.push(limiter);
  });
  afterAll(() => Promise.all(open.splice(0).map((each) => each.close())));

  it('allows the limit and refuses the next, with the whole seconds until the window ends', async () => {
    const messages = rule(3, 600_500);
    const begun = performance.now();
    const decisions = await Promise.all([1, 2, 3, 4].map(() => limiter.consume([messages])));
    const passed = performance.now() - begun;
    expect(allowedOf(decisions)).toBe(3);
    expect(decisions.at(-1)).toEqual({
      allowed: false,
      retryAfterSeconds: expect.any(Number),
      rule: messages,
    });
    const { retryAfterSeconds: seconds } = decisions.at(-1) as { retryAfterSeconds: number };
    expect(Number.isInteger(seconds)).toBe(true);
    expect(seconds).toBeLessThanOrEqual(601);
    expect(seconds).toBeGreaterThanOrEqual(Math.ceil((600_500 - passed) / 1000));
  });

  it('Retry-After is at least one second', () =>
    eventually(async () => {
      const one = rule(1, 900);
      await limiter.consume([one]);
      // On a busy machine the window may have ended.
      expect(await limiter.consume([one])).toEqual({ allowed: false, retryAfterSeconds: 1, rule: one });
    }));

  it('starts a window at the first hit and a new one after its end', async () => {
    await withinWindow(async (windowMs) => {
      const one = rule(1, windowMs);
      // Independent of the clock's seconds, the second hit comes three quarters of a window after
      // the first and is refused.
      for (let round = 0; round < 2; round += 1) {
        const begun = performance.now();
        expect(await limiter.consume([one])).toEqual({ allowed: true });
        const counted = performance.now();
        await sleep(0.75 * windowMs);
        const { allowed } = await limiter.consume([one]);
        if (performance.now() - begun >= windowMs) return false;
        expect(allowed).toBe(false);
        await sleep(counted + windowMs + 50 - performance.now());
      }
      return true;
    });
  });

  it('counts for no rule when one refuses, and names the one with the longest wait', async () => {
    const wide = rule(10);
    const narrow = rule(1);
    const slow = rule(1, 7_200_000);
    const begun = performance.now();
    expect(await limiter.consume([wide, narrow, slow])).toEqual({ allowed: true });
    const decision = await limiter.consume([narrow, slow, wide]);
    expect(decision).toEqual({ allowed: false, retryAfterSeconds: expect.any(Number), rule: slow });
    const { retryAfterSeconds: seconds } = decision as { retryAfterSeconds: number };
    expect(seconds).toBeLessThanOrEqual(7200);
    expect(seconds).toBeGreaterThanOrEqual(Math.ceil(7200 - (performance.now() - begun) / 1000));
    expect(await limiter.take(wide.key, 10, wide.windowMs, 100)).toBe(9);
  });

  it('judges a batch in order: a call uses room that the next one lacks', async () => {
    const shared = rule(2);
    const own = rule(1);
    const decisions = await Promise.all([
      limiter.consume([own, shared]),
      limiter.consume([own, shared]),
      limiter.consume([shared]),
      limiter.consume([shared]),
    ]);
    expect(decisions.map((decision) => decision.allowed)).toEqual([true, false, true, false]);
  });

  it('refunds a hit', async () => {
    const rules = [rule(1), rule(1)];
    expect((await limiter.consume(rules)).allowed).toBe(true);
    await limiter.refund(rules);
    expect((await limiter.consume(rules)).allowed).toBe(true);
    expect((await limiter.consume(rules)).allowed).toBe(false);
  });

  it('does not take a refund from a later window', async () => {
    await withinWindow(async (windowMs) => {
      const key = rule(1, windowMs);
      const early = [key];
      await limiter.consume(early);
      let begun = 0;
      await eventually(async () => {
        begun = performance.now();
        return (await limiter.consume([key])).allowed;
      });
      await limiter.refund(early);
      const { allowed } = await limiter.consume([key]);
      if (performance.now() - begun >= windowMs) return false;
      expect(allowed).toBe(false);
      return true;
    });
  });

  it('a refund of the only hit ends the window', async () => {
    await withinWindow(async (windowMs) => {
      const rules = [rule(1, windowMs)];
      await limiter.consume(rules);
      await sleep(0.6 * windowMs);
      await limiter.refund(rules);
      const begun = performance.now();
      await limiter.consume(rules);
      await sleep(0.6 * windowMs);
      const { allowed } = await limiter.consume(rules);
      if (performance.now() - begun >= windowMs) return false;
      expect(allowed).toBe(false);
      return true;
    });
  });

  it('grants as much of a take as there is room for', async () => {
    const { key } = rule(10);
    expect(await Promise.all([4, 4, 4, 4].map((wanted) => limiter.take(key, 10, 3_600_000, wanted)))).toEqual(
      [4, 4, 2, 0],
    );
    expect(await limiter.take(key, 10, 3_600_000, 0)).toBe(0);
    expect(await limiter.take(rule(0).key, 0, 60_000, 5)).toBe(0);
  });

  it('a limit of zero allows nothing', async () => {
    expect(await limiter.consume([rule(0, 3_000)])).toMatchObject({ allowed: false, retryAfterSeconds: 3 });
  });

  it('four processes with 200 hits each on crossed keys: exactly the limit, no deadlock', async () => {
    const limiters = [1, 2, 3, 4].map(make);
    open.push(...limiters);
    const [a, b, c] = [rule(150), rule(90), rule(400)] as [RateRule, RateRule, RateRule];
    const orders = [[a, b], [b, c, a], [c], [c, a, b], [b, a]];
    const used = new Map<RateRule, number>();
    const hit = async (each: RateLimiter, rules: RateRule[]): Promise<void> => {
      if ((await each.consume(rules)).allowed)
        for (const one of rules) used.set(one, (used.get(one) ?? 0) + 1);
    };
    // Each process has two concurrent hits, so that many small batches meet in all orders.
    const callers = limiters.flatMap((each, process) =>
      [0, 1].map((caller) => ({ each, start: process + 2 * caller })),
    );
    await Promise.all(
      callers.map(async ({ each, start }) => {
        for (let n = 0; n < 100; n += 1)
          await hit(each, orders[(start + n * (start + 1)) % orders.length] as RateRule[]);
      }),
    );
    for (const [counted, hits] of used) expect(hits).toBeLessThanOrEqual(counted.limit);
    // The tightest key is used up exactly, and every granted hit is counted.
    expect(used.get(b)).toBe(b.limit);
    expect(await limiter.take(c.key, c.limit, c.windowMs, 1_000)).toBe(c.limit - (used.get(c) ?? 0));
    expect(await limiter.take(a.key, a.limit, a.windowMs, 1_000)).toBe(a.limit - (used.get(a) ?? 0));
  });

  it('four processes with 200 hits each on one key: exactly the limit', async () => {
    const limiters = [1, 2, 3, 4].map(make);
    open.push(...limiters);
    const one = rule(333);
    const decisions = await Promise.all(
      limiters.flatMap((each) => Array.from({ length: 200 }, () => each.consume([one]))),
    );
    expect(allowedOf(decisions)).toBe(333);
  });

  it('answers its readiness check, and refuses after close', async () => {
    const other = make();
    await other.check();
    await other.close();
    await expect(other.consume([rule(1)])).rejects.toThrow('unavailable');
    await expect(other.check()).rejects.toThrow('unavailable');
  });
});
