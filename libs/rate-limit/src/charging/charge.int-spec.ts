import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@tieline/platform/http';
import { createTestDatabase, testRedisUrl } from '@tieline/testing';
import { charged } from './charge.js';
import { PostgresRateLimiter } from '../postgres/postgres-rate-limiter.js';
import type { RateLimiter } from '../rate-limiter.js';
import type { RateRule } from '../rate-rule.js';
import { RedisRateLimiter } from '../redis/redis-rate-limiter.js';

const redisUrl = await testRedisUrl();
const database = await createTestDatabase();
let keys = 0;

afterAll(() => database.drop());

const stores: [string, () => RateLimiter][] = [
  ['Postgres', () => new PostgresRateLimiter({ databaseUrl: database.url })],
];
if (redisUrl !== undefined) stores.push(['Redis', () => new RedisRateLimiter({ redisUrl })]);

const rule = (limit: number, windowMs = 60_000): RateRule => ({
  key: `charge-${(keys += 1)}`,
  limit,
  windowMs,
});
const stale = () => new ApiError(409, 'stale', 'stale sequence');

/** Returns the number of concurrent requests by status. */
async function tally(requests: Promise<unknown>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status, reason } of (await Promise.allSettled(requests)) as PromiseRejectedResult[]) {
    const key = status === ('fulfilled' as string) ? 200 : (reason as ApiError).status;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe.each(stores)('charged on %s', (_, make) => {
  let limiter: RateLimiter;
  let other: RateLimiter;
  beforeAll(() => {
    limiter = make();
    other = make();
  });
  afterAll(() => Promise.all([limiter, other].map((each) => each.close())));

  const good = (rules: RateRule[], ms = 5, by = limiter): Promise<string> =>
    charged(by, rules, async () => {
      await sleep(ms);
      return 'done';
    });
  const refused = (rules: RateRule[]): Promise<never> =>
    charged(limiter, rules, async () => {
      await sleep(5);
      throw stale();
    });
  const times = <T>(count: number, send: () => T): T[] => Array.from({ length: count }, send);

  test('20 concurrent refused requests use nothing of a limit of 5, and 5 good ones after them pass', async () => {
    const rules = [rule(5)];
    expect(await tally(times(20, () => refused(rules)))).toEqual({ 409: 20 });
    expect(await tally(times(6, () => good(rules)))).toEqual({ 200: 5, 429: 1 });
  });

  test('refused requests with concurrent good ones leave the good ones within the limit', async () => {
    const rules = [rule(6)];
    const sent: Promise<unknown>[] = times(20, () => refused(rules));
    const passed = tally(times(6, () => good(rules)));
    sent.push(...times(20, () => refused(rules)));
    await tally(sent);
    expect(await passed).toEqual({ 200: 6 });
  });

  test('good requests with concurrent refused ones never exceed the limit', async () => {
    const rules = [rule(6)];
    const mixed = times(20, () => [refused(rules), good(rules)]).flat();
    expect((await tally(mixed))[200]).toBe(6);
  });

  test('with several rules the narrow one decides, and the wide one keeps its room', async () => {
    const [wide, narrow] = [rule(30), rule(1)];
    expect(await tally(times(6, () => refused([wide, narrow])))).toEqual({ 409: 6 });
    expect(await tally(times(3, () => good([wide, narrow])))).toEqual({ 200: 1, 429: 2 });
    expect(await tally(times(31, () => good([wide])))).toEqual({ 200: 29, 429: 2 });
  });

  test('refused requests have a limit of ten times the rate; good ones still pass', async () => {
    const rules = [rule(2)];
    expect(await tally(times(30, () => refused(rules)))).toEqual({ 409: 20, 429: 10 });
    expect(await tally(times(2, () => good(rules)))).toEqual({ 200: 2 });
  });

  test('a 429 has a Retry-After', async () => {
    const rules = [rule(1)];
    await good(rules);
    await expect(good(rules)).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  });

  test('a request that is refused in another process within 200 ms uses no rate either', async () => {
    const rules = [rule(1)];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const elsewhere = tally([
      charged(other, rules, async () => {
        begin();
        await sleep(60);
        throw stale();
      }),
    ]);
    await begun;
    await expect(good(rules)).resolves.toBe('done');
    expect(await elsewhere).toEqual({ 409: 1 });
  });

  test('waits once per window for a limit that another process has used up', async () => {
    const rules = [rule(1)];
    await good(rules, 0, other);
    await expect(good(rules)).rejects.toMatchObject({ status: 429 });
    const begun = performance.now();
    await expect(good(rules)).rejects.toMatchObject({ status: 429 });
    expect(performance.now() - begun).toBeLessThan(150);
  });

  test('a repeat uses no rate, and is answered when the rate is used up', async () => {
    const rules = [rule(3)];
    let stored: { id: string; repeated: boolean } | undefined;
    let written = 0;
    let first: Promise<unknown> | undefined;
    const send = () =>
      charged(
        limiter,
        rules,
        async () => {
          if (first) {
            await first;
            return { id: 'm', repeated: true };
          }
          first = sleep(20);
          await first;
          written += 1;
          stored = { id: 'm', repeated: false };
          return stored;
        },
        { findRepeat: async () => stored, isRepeat: ({ repeated }) => repeated },
      );
    expect(await tally(times(20, send))).toEqual({ 200: 20 });
    expect(written).toBe(1);
    expect(await tally(times(2, () => good(rules)))).toEqual({ 200: 2 });
    expect(await tally([good(rules), send(), send()])).toEqual({ 200: 2, 429: 1 });
  });

  test('waits no longer than the window lasts', async () => {
    const rules = [rule(1, 300)];
    const slow = good(rules, 1_500);
    await sleep(50);
    await expect(good(rules)).resolves.toBe('done');
    await slow;
  });
});
