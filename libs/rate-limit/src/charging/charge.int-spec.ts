import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@tieline/platform/http';
import { createTestDatabase, testRedisUrl } from '@tieline/testing';
import { charged } from './charge.js';
import { PostgresRateLimiter } from '../postgres/postgres-rate-limiter.js';
import type { RateLimiter } from '../rate-limiter.js';
import type { RateRule } from '../rate-rule.js';
import { RedisRateLimiter } from '../redis/redis-rate-limiter.js';

/** Longer than a decision takes on a busy machine. */
const deadlineMs = 60_000;
const redisUrl = await testRedisUrl();
const database = await createTestDatabase();
let keys = 0;

afterAll(() => database.drop());

const stores: [string, () => RateLimiter][] = [
  ['Postgres', () => new PostgresRateLimiter({ databaseUrl: database.url, deadlineMs })],
];
if (redisUrl !== undefined) stores.push(['Redis', () => new RedisRateLimiter({ redisUrl, deadlineMs })]);

const rule = (limit: number, windowMs = 3_600_000): RateRule => ({
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
    const begun = performance.now();
    await good(rules);
    const { status, headers } = (await good(rules).catch((error: unknown) => error)) as ApiError;
    expect(status).toBe(429);
    const [seconds, passed] = [Number(headers?.['retry-after']), (performance.now() - begun) / 1000];
    expect(seconds).toBeLessThanOrEqual(3600);
    expect(seconds).toBeGreaterThanOrEqual(Math.ceil(3600 - passed));
  });

  /** Calls `before` with the number of each further query of the limiter while `work` runs. */
  async function whileQuerying<T>(before: (query: number) => unknown, work: () => Promise<T>): Promise<T> {
    const query = limiter.tryConsume.bind(limiter);
    let queries = 0;
    limiter.tryConsume = async (rules) => {
      await before((queries += 1));
      return query(rules);
    };
    try {
      return await work();
    } finally {
      Reflect.deleteProperty(limiter, 'tryConsume');
    }
  }

  test('a request that is refused in another process within 200 ms uses no rate either', async () => {
    const rules = [rule(1)];
    let begin = (): void => undefined;
    let refuse = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const refusal = new Promise<void>((resolve) => (refuse = resolve));
    const elsewhere = tally([
      charged(other, rules, async () => {
        begin();
        await refusal;
        throw stale();
      }),
    ]);
    await begun;
    const refusedBeforeSecond = async (query: number): Promise<void> => {
      if (query === 1) return;
      refuse();
      await elsewhere;
    };
    await expect(whileQuerying(refusedBeforeSecond, () => good(rules))).resolves.toBe('done');
    expect(await elsewhere).toEqual({ 409: 1 });
  });

  test('waits once per window for a limit that another process has used up', async () => {
    const rules = [rule(1)];
    await good(rules, 0, other);
    const queries = async (): Promise<number> => {
      let last = 0;
      const count = (query: number): unknown => (last = query);
      await expect(whileQuerying(count, () => good(rules))).rejects.toMatchObject({ status: 429 });
      return last;
    };
    expect([await queries(), await queries()]).toEqual([6, 1]);
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
