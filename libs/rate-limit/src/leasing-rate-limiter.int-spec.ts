import { createTestDatabase, testRedisUrl } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { LeasingRateLimiter } from './leasing-rate-limiter.js';
import { PostgresRateLimiter } from './postgres/postgres-rate-limiter.js';
import type { RateLimiter } from './rate-limiter.js';
import type { RateRule } from './rate-rule.js';
import { RedisRateLimiter } from './redis/redis-rate-limiter.js';

/** Longer than a decision takes on a busy machine. */
const deadlineMs = 60_000;
/** With this number of portions, limits from 2,000 on are leased. */
const PORTIONS = 20;

let database: TestDatabase;
let redisUrl: string | undefined;
const open: RateLimiter[] = [];
let n = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  redisUrl = await testRedisUrl();
});
afterEach(async () => {
  for (const limiter of open.splice(0)) await limiter.close();
});
afterAll(() => database?.drop());

function limiter(): LeasingRateLimiter {
  const store =
    redisUrl === undefined
      ? new PostgresRateLimiter({ databaseUrl: database.url, deadlineMs })
      : new RedisRateLimiter({ redisUrl, deadlineMs });
  const leasing = new LeasingRateLimiter(store, PORTIONS);
  open.push(leasing);
  return leasing;
}

const rule = (limit: number, windowMs = 3_600_000): RateRule => ({
  key: `leases:{${(n += 1)}}`,
  limit,
  windowMs,
});

async function granted(one: RateLimiter, rules: RateRule[], calls: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: calls }, () => one.consume([...rules])));
  return decisions.filter((decision) => decision.allowed).length;
}

test('a small limit is exact over several processes', async () => {
  const small = rule(50);
  const counts = await Promise.all([limiter(), limiter(), limiter()].map((one) => granted(one, [small], 40)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50);
});

test('a large limit is never exceeded, and each process leaves at most one portion of it unused', async () => {
  const large = rule(5000);
  const processes = [limiter(), limiter(), limiter(), limiter()];
  const counts = await Promise.all(processes.map((one) => granted(one, [large], 1500)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(total).toBeLessThanOrEqual(5000);
  expect(total).toBeGreaterThanOrEqual(5000 - 4 * (5000 / PORTIONS));
});

test('a refusal says how long to wait', async () => {
  const one = limiter();
  const large = rule(2000);
  await granted(one, [large], 2100);
  expect(await one.consume([large])).toMatchObject({
    allowed: false,
    retryAfterSeconds: expect.any(Number),
    rule: { key: large.key },
  });
});

test('a refusal by the small limit uses nothing of the large one', async () => {
  const one = limiter();
  const [small, large] = [rule(3), rule(2000)];
  expect(await granted(one, [small, large], 10)).toBe(3);
  expect(await granted(one, [large], 2100)).toBe(1997);
});

test('a refund returns hits of leased and of exact limits', async () => {
  const one = limiter();
  const rules = [rule(2), rule(2000)];
  expect((await one.consume(rules)).allowed).toBe(true);
  await one.refund(rules);
  expect(await granted(one, rules, 5)).toBe(2);
});

test('allows hits again after the window', async () => {
  const one = limiter();
  const large = rule(2000, 300);
  await granted(one, [large], 2100);
  await new Promise((resolve) => setTimeout(resolve, 350));
  expect((await one.consume([large])).allowed).toBe(true);
});
