import { gzipSync } from 'node:zlib';
import { RateLimiter } from '@tieline/rate-limit';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { readRows } from '@tieline/testing';
import { native, REJECTED, startIncomingHarness, unixSeconds } from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook } from '../../testing/incoming-harness.js';

const GOOD = { text: 'a' };
const BAD = { unknown: 'format' };
const KEY = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });

let harness: IncomingHarness;

beforeAll(async () => {
  harness = await startIncomingHarness({ INCOMING_AUTO_DISABLE_THRESHOLD: '3' });
});
afterAll(() => harness?.close());

const isActive = async ({ id }: TestWebhook): Promise<boolean> =>
  (await harness.call('GET', `/incoming_webhooks/${id}`)).body.webhook.is_active;
const noticesOf = async ({ id }: TestWebhook): Promise<{ kind: string; text: string }[]> =>
  (await harness.call('GET', '/notices?limit=200')).body.notices.filter(
    (notice: { object_id: string }) => notice.object_id === id,
  );
const failures = async ({ id }: TestWebhook): Promise<number | undefined> =>
  (
    await readRows<{ n: number }>(
      harness.api.db,
      'SELECT consecutive_failures AS n FROM incoming_webhooks WHERE id = $1',
      [id],
    )
  )[0]?.n;
async function statuses(webhook: TestWebhook, bodies: unknown[]): Promise<number[]> {
  const found: number[] = [];
  for (const body of bodies) found.push((await harness.post(webhook, body)).status);
  return found;
}

describe('auto-disable', () => {
  test('the threshold of consecutive failures disables the webhook, with a notice and an audit entry', async () => {
    const webhook = await harness.webhook({ name: 'Broken' });
    expect(await statuses(webhook, [BAD, BAD])).toEqual([400, 400]);
    expect(await isActive(webhook)).toBe(true);
    expect(await statuses(webhook, [BAD, GOOD])).toEqual([400, 410]);
    expect(await isActive(webhook)).toBe(false);
    expect(await noticesOf(webhook)).toEqual([
      expect.objectContaining({
        kind: 'incoming_webhook.auto_disabled',
        object_type: 'incoming_webhook',
        text: expect.stringContaining('"Broken"'),
      }),
    ]);
    const { entries } = (await harness.call('GET', '/audit_log?limit=1')).body;
    expect(entries).toMatchObject([
      {
        action: 'incoming_webhook.auto_disabled',
        actor_type: 'system',
        object_id: webhook.id,
        changes: { is_active: { from: true, to: false } },
      },
    ]);
  });

  test('enabling it again resets the count', async () => {
    const webhook = await harness.webhook();
    await statuses(webhook, [BAD, BAD, BAD]);
    await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: true });
    expect(await statuses(webhook, [BAD, BAD, GOOD])).toEqual([400, 400, 200]);
    expect(await isActive(webhook)).toBe(true);
  });

  test('the first 2xx resets the count', async () => {
    const webhook = await harness.webhook();
    expect(await statuses(webhook, [BAD, BAD, GOOD, BAD, BAD, GOOD])).toEqual([400, 400, 200, 400, 400, 200]);
    expect(await isActive(webhook)).toBe(true);
    expect(await failures(webhook)).toBe(0);
  });

  test('concurrent failures disable it once', async () => {
    const webhook = await harness.webhook();
    const answers = await Promise.all(Array.from({ length: 10 }, () => harness.post(webhook, BAD)));
    expect(answers.every(({ status }) => status === 400 || status === 410)).toBe(true);
    expect(await noticesOf(webhook)).toHaveLength(1);
    expect(await failures(webhook)).toBe(3);
  });

  test('401, 413 and 409 do not count', async () => {
    const webhook = await harness.webhook({ require_signature: true });
    const signed = (body: string, more = {}) =>
      harness.post(webhook, body, { ...native(webhook.secret, body), ...more });
    await signed('{"text":"first"}', { 'idempotency-key': 'k' });
    const big = 'x'.repeat(262_145);
    const answers = [
      ...(await Promise.all([1, 2, 3, 4].map(() => harness.post(webhook, '{}')))),
      ...(await Promise.all([1, 2, 3, 4].map(() => signed(big)))),
      ...(await Promise.all([1, 2, 3, 4].map(() => signed('{"text":"other"}', { 'idempotency-key': 'k' })))),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      401, 401, 401, 401, 413, 413, 413, 413, 409, 409, 409, 409,
    ]);
    expect(await failures(webhook)).toBe(0);
  });

  test('a wrong content type and an archived channel count, unsigned requests do not', async () => {
    const webhook = await harness.webhook({ require_signature: true });
    await harness.post(webhook, '{}', { 'content-type': 'application/xml' });
    expect(await failures(webhook)).toBe(0);
    await harness.post(webhook, '{}', { ...native(webhook.secret, '{}'), 'content-type': 'application/xml' });
    await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [
      webhook.conversationId,
    ]);
    await harness.post(webhook, '{"text":"a"}', native(webhook.secret, '{"text":"a"}'));
    expect(await failures(webhook)).toBe(2);
  });
});

test('repeats of a rejected signed request count as one failure', async () => {
  const webhook = await harness.webhook({ require_signature: true });
  const captured = native(webhook.secret, '{}');
  for (let n = 0; n < 5; n += 1) expect((await harness.post(webhook, '{}', captured)).status).toBe(400);
  expect(await failures(webhook)).toBe(1);
  expect((await harness.post(webhook, '{}', native(webhook.secret, '{}', unixSeconds(1)))).status).toBe(400);
  expect(await failures(webhook)).toBe(2);
});

describe('idempotency', () => {
  test('the same key and body return the first message', async () => {
    const webhook = await harness.webhook();
    const first = await harness.post(webhook, GOOD, KEY('k1'));
    expect(first.status).toBe(200);
    expect(await harness.post(webhook, GOOD, KEY('k1'))).toMatchObject({ status: 200, body: first.body });
    expect(await harness.history(webhook)).toHaveLength(1);
    expect((await harness.requests(webhook)).map(({ message_id }) => message_id)).toEqual([
      first.body.message_id,
      first.body.message_id,
    ]);
  });

  test('twenty concurrent requests post one message', async () => {
    const webhook = await harness.webhook();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.post(webhook, GOOD, KEY('k2'))),
    );
    expect(new Set(answers.map(({ body }) => body.message_id)).size).toBe(1);
    expect(await harness.history(webhook)).toHaveLength(1);
  });

  test('another body answers 409 with the generic text', async () => {
    const webhook = await harness.webhook();
    await harness.post(webhook, GOOD, KEY('k3'));
    expect(await harness.post(webhook, { text: 'b' }, KEY('k3'))).toMatchObject({
      status: 409,
      body: REJECTED,
    });
    expect((await harness.requests(webhook))[0]).toMatchObject({
      status: 409,
      reason: 'idempotency key was used for another request',
    });
  });

  test('keys are per webhook, a rejected request does not use up its key, and a malformed key answers 400', async () => {
    const [one, other] = [await harness.webhook(), await harness.webhook()];
    await harness.post(one, BAD, KEY('k4'));
    const answers = [
      await harness.post(one, GOOD, KEY('k4')),
      await harness.post(other, { text: 'b' }, KEY('k4')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await harness.post(one, GOOD, KEY('a b'))).toMatchObject({ status: 400, body: REJECTED });
  });
});

describe('rates', () => {
  const burst = async (of: IncomingHarness, webhook: TestWebhook, count: number, body: unknown = GOOD) =>
    Promise.all(Array.from({ length: count }, () => of.post(webhook, body)));
  const count = (answers: { status: number }[], status: number): number =>
    answers.filter((answer) => answer.status === status).length;

  test.each([
    ['free', 5],
    ['pro', 10],
    ['enterprise', 30],
  ] as const)('%s: %i per second and webhook', (plan, limit) =>
    withinOneWindow(harness.api, async () => {
      const space = await harness.otherSpace(plan);
      const [webhook, other] = [await space.webhook(), await space.webhook()];
      const answers = await burst(space, webhook, limit + 3);
      expect([count(answers, 200), count(answers, 429)]).toEqual([limit, 3]);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused).toMatchObject({ body: REJECTED });
      expect(refused?.headers.get('retry-after')).toBe('1');
      expect((await space.post(other, GOOD)).status).toBe(200);
      expect(
        (await space.requests(webhook)).filter(
          ({ reason }) => reason === `more than ${limit} messages per second`,
        ),
      ).toHaveLength(3);
    }),
  );

  test('rejected content consumes the rate limit, wrong signatures do not', () =>
    withinOneWindow(harness.api, async () => {
      const space = await harness.otherSpace('free');
      const signed = await space.webhook({ require_signature: true });
      const answers = [
        ...(await burst(space, signed, 10)),
        await space.post(signed, '{"text":"a"}', native(signed.secret, '{"text":"a"}')),
      ];
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 401), 200]);
      const unsigned = await space.webhook();
      const refused = await burst(space, unsigned, 2, BAD);
      const good = await burst(space, unsigned, 5);
      expect([count(refused, 400), count(good, 200), count(good, 429)]).toEqual([2, 3, 2]);
    }));
});

describe('repeats and the rate limit', () => {
  test('a repeat with a key does not use the rate limit and is answered when it is exhausted', () =>
    withinOneWindow(harness.api, async () => {
      const space = await harness.otherSpace('free');
      const webhook = await space.webhook();
      const first = await space.post(webhook, GOOD, KEY('k'));
      for (let n = 0; n < 5; n += 1)
        expect(await space.post(webhook, GOOD, KEY('k'))).toMatchObject({ status: 200, body: first.body });
      const others: number[] = [];
      for (let n = 0; n < 5; n += 1) others.push((await space.post(webhook, { text: 'other' })).status);
      expect(others).toEqual([200, 200, 200, 200, 429]);
      expect(await space.post(webhook, GOOD, KEY('k'))).toMatchObject({ status: 200, body: first.body });
      expect((await space.post(webhook, GOOD, KEY('another'))).status).toBe(429);
      expect(await space.history(webhook)).toHaveLength(5);
    }));

  test('a compressed repeat with a key is found', () =>
    withinOneWindow(harness.api, async () => {
      const space = await harness.otherSpace('free');
      const webhook = await space.webhook();
      const first = await space.post(webhook, GOOD, KEY('k'));
      for (let n = 0; n < 4; n += 1) await space.post(webhook, GOOD);
      const zipped = { ...KEY('k'), 'content-encoding': 'gzip' };
      const bytes = gzipSync(JSON.stringify(GOOD));
      expect(await space.post(webhook, bytes, zipped)).toMatchObject({ status: 200, body: first.body });
    }));

  test('a repeat of an accepted signature does not use the rate limit', () =>
    withinOneWindow(harness.api, async () => {
      const space = await harness.otherSpace('free');
      const webhook = await space.webhook({ require_signature: true });
      const signed = (text: string) => {
        const body = JSON.stringify({ text });
        return space.post(webhook, body, native(webhook.secret, body));
      };
      const body = JSON.stringify({ text: 'first' });
      const headers = native(webhook.secret, body);
      const first = await space.post(webhook, body, headers);
      for (let n = 0; n < 5; n += 1)
        expect(await space.post(webhook, body, headers)).toMatchObject({ status: 200, body: first.body });
      const others: number[] = [];
      for (let n = 0; n < 5; n += 1) others.push((await signed(`other ${n}`)).status);
      expect(others).toEqual([200, 200, 200, 200, 429]);
    }));

  test('repeats of a rejected signature do not use the rate limit of the sender', () =>
    withinOneWindow(harness.api, async () => {
      const space = await harness.otherSpace('free');
      const webhook = await space.webhook({ require_signature: true });
      const captured = native(webhook.secret, '{}');
      const repeats: number[] = [];
      for (let n = 0; n < 7; n += 1) repeats.push((await space.post(webhook, '{}', captured)).status);
      expect(repeats).toEqual([400, 400, 400, 400, 400, 400, 429]);
      const others: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const body = JSON.stringify({ text: `other ${n}` });
        others.push((await space.post(webhook, body, native(webhook.secret, body))).status);
      }
      expect(others).toEqual([200, 200, 200, 200, 429]);
    }));
});

describe('when a data store fails', () => {
  test('an internal error answers 500 with the generic body and counts', async () => {
    const own = await startIncomingHarness();
    const webhook = await own.webhook();
    await own.api.db.query('ALTER TABLE messages RENAME TO gone');
    expect(await own.post(webhook, GOOD)).toMatchObject({ status: 500, body: REJECTED });
    expect(await own.requests(webhook)).toMatchObject([
      { status: 500, verdict: 'rejected', reason: 'internal error' },
    ]);
    expect(await own.api.db.query('SELECT consecutive_failures AS n FROM incoming_webhooks')).toEqual([
      { n: 1 },
    ]);
    await own.close();
  });

  test('without the rate limiter alerts are accepted up to a limit of the process', async () => {
    const own = await startIncomingHarness();
    const space = await own.otherSpace('free');
    const webhook = await space.webhook();
    await own.api.app.get(RateLimiter, { strict: false }).close();
    const answers = await Promise.all(Array.from({ length: 80 }, () => space.post(webhook, GOOD)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses[0]).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await own.close();
  });
});
