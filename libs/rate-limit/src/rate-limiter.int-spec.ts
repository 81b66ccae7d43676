import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, eventually, testRedisUrl } from '@tieline/testing';
import { PostgresRateLimiter } from './postgres/postgres-rate-limiter.js';
import type { RateDecision, RateLimiter } from './rate-limiter.js';
import type { RateRule } from './rate-rule.js';
import { RedisRateLimiter } from './redis/redis-rate-limiter.js';

const redisUrl = await testRedisUrl();
const database = await createTestDatabase();
const open: RateLimiter[] = [];
let keys = 0;

const adapters: [string, () => RateLimiter][] = [
  ['Postgres', () => new PostgresRateLimiter({ databaseUrl: database.url })],
];
if (redisUrl !== undefined) adapters.push(['Redis', () => new RedisRateLimiter({ redisUrl })]);

afterAll(() => database.drop());

function rule(limit: number, windowMs = 60_000, key = `key-${(keys += 1)}`): RateRule {
  return { key, limit, windowMs };
}

function allowedOf(decisions: RateDecision[]): number {
  return decisions.filter((decision) => decision.allowed).length;
}

describe.each(adapters)('rate limiter on %s', (_, make) => {
  let limiter: RateLimiter;

  beforeAll(() => {
    limiter = make();
    open.push(limiter);
  });
  afterAll(() => Promise.all(open.splice(0).map((each) => each.close())));

  it('allows the limit and refuses the next, with the whole seconds until the window ends', async () => {
    const messages = rule(3, 1_500);
    const decisions = await Promise.all([1, 2, 3, 4].map(() => limiter.consume([messages])));
    expect(allowedOf(decisions)).toBe(3);
    expect(decisions.at(-1)).toEqual({ allowed: false, retryAfterSeconds: 2, rule: messages });
  });

  it('Retry-After is at least one second', async () => {
    const one = rule(1, 200);
    await limiter.consume([one]);
    expect(await limiter.consume([one])).toEqual({ allowed: false, retryAfterSeconds: 1, rule: one });
  });

  it('starts a window at the first hit and a new one after its end', async () => {
    const one = rule(1, 400);
    // Independent of the clock's seconds, the second hit comes 300 ms after the first and is
    // refused.
    for (let round = 0; round < 2; round += 1) {
      expect(await limiter.consume([one])).toEqual({ allowed: true });
      await sleep(300);
      expect((await limiter.consume([one])).allowed).toBe(false);
      await sleep(150);
    }
  });

  it('counts for no rule when one refuses, and names the one with the longest wait', async () => {
    const wide = rule(10);
    const narrow = rule(1);
    const slow = rule(1, 600_000);
    expect(await limiter.consume([wide, narrow, slow])).toEqual({ allowed: true });
    expect(await limiter.consume([narrow, slow, wide])).toEqual({
      allowed: false,
      retryAfterSeconds: 600,
      rule: slow,
    });
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
    const key = rule(1, 200);
    const early = [key];
    await limiter.consume(early);
    await eventually(async () => (await limiter.consume([key])).allowed);
    await limiter.refund(early);
    expect((await limiter.consume([key])).allowed).toBe(false);
  });

  it('a refund of the only hit ends the window', async () => {
    const key = rule(1, 400);
    const rules = [key];
    await limiter.consume(rules);
    await sleep(250);
    await limiter.refund(rules);
    await limiter.consume(rules);
    await sleep(250);
    expect((await limiter.consume(rules)).allowed).toBe(false);
  });

  it('grants as much of a take as there is room for', async () => {
    const { key } = rule(10);
    expect(await Promise.all([4, 4, 4, 4].map((wanted) => limiter.take(key, 10, 60_000, wanted)))).toEqual([
      4, 4, 2, 0,
    ]);
    expect(await limiter.take(key, 10, 60_000, 0)).toBe(0);
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
