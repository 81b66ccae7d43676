import { readFileSync } from 'node:fs';
import { readRows, statementsDuring } from '@tieline/testing';
import { native, startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness } from '../../testing/incoming-harness.js';
import { RequestLog } from './request-log.js';

interface Recorded {
  content_type: string | null;
  user_agent: string | null;
  raw_body: string;
}

const recorded = readFileSync(new URL('../testing/recorded-senders.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

let harness: IncomingHarness;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
afterAll(() => harness?.close());

const entry = () => ({
  spaceId: harness.space.spaceId,
  token: '',
  address: '::1',
  status: 429,
  reason: 'x',
  notes: [],
  body: Buffer.from('{}'),
});

test('every recorded request is accepted byte for byte', async () => {
  const webhook = await harness.webhook();
  for (const { content_type: type, raw_body: body } of recorded) {
    const answer = await harness.post(webhook, body, type === null ? {} : { 'content-type': type });
    expect([type, answer.status]).toEqual([type, 200]);
  }
  expect(await harness.history(webhook)).toHaveLength(recorded.length);
});

test('an accepted request is logged with time, address, message and notes', async () => {
  const webhook = await harness.webhook();
  const { body } = await harness.post(webhook, { text: 'x'.repeat(4001) });
  const [entry] = await harness.requests(webhook);
  expect(entry).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    time: expect.stringMatching(/Z$/),
    address: '127.0.0.1',
    verdict: 'accepted',
    reason: '',
    status: 200,
    body: JSON.stringify({ text: 'x'.repeat(4001) }),
    notes: ['text: cut at 4000 of 4001 characters'],
    message_id: body.message_id,
  });
  expect(Math.abs(Date.now() - Date.parse(entry?.time ?? ''))).toBeLessThan(10_000);
});

test('the first 16 KiB of a body are logged, even if not text', async () => {
  const webhook = await harness.webhook();
  await harness.post(webhook, JSON.stringify({ text: 'a', x: 'y'.repeat(20_000) }));
  await harness.post(webhook, Buffer.from([0xff, 0x00, 0x41]));
  const [binary, long] = await harness.requests(webhook);
  expect(long?.body).toHaveLength(16_384);
  expect(binary).toMatchObject({ status: 400, body: '\uFFFD\0A' });
});

test('our secrets and tokens are redacted from bodies', async () => {
  const webhook = await harness.webhook();
  const bot = `tlb_${'a'.repeat(43)}`;
  await harness.post(webhook, {
    text: `a ${webhook.token} b ${webhook.secret} c ${bot} d`,
    pad: 'x'.repeat(16_384),
  });
  await harness.post(webhook, `payload=${encodeURIComponent(JSON.stringify({ text: webhook.secret }))}`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  // A secret that starts where the logged part ends.
  await harness.post(webhook, `{"text":"a","x":"${'y'.repeat(16_384 - 40)} ${webhook.token}"}`);
  const bodies = (await harness.requests(webhook)).map(({ body }) => body);
  expect(bodies[2]).toMatch(/^\{"text":"a \*\*\* b \*\*\* c \*\*\* d",/);
  expect(bodies[1]).toBe('payload=%7B%22text%22%3A%22***%22%7D');
  const kept = (
    await readRows<{ body: Buffer }>(
      harness.api.db,
      'SELECT body FROM incoming_requests WHERE webhook_id = $1',
      [webhook.id],
    )
  )
    .map(({ body }) => body.toString())
    .join();
  for (const secret of [webhook.token.slice(0, 10), webhook.secret.slice(6, 16), bot])
    expect(kept).not.toContain(secret);
});

test('the last hundred requests are shown, newest first, and paged', async () => {
  const webhook = await harness.webhook();
  for (let n = 1; n <= 130; n += 1) {
    await harness.post(webhook, `{"n":${n}}`, { 'content-type': 'text/plain' });
    if (n % 50 === 0) await harness.requests(webhook);
    if (n % 50 === 0)
      await harness
        .call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: false })
        .then(() => harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: true }));
  }
  const bodies = Array.from({ length: 100 }, (_, index) => `{"n":${130 - index}}`);
  expect((await harness.requests(webhook)).map(({ body }) => body)).toEqual(bodies);
  const first = (await harness.call('GET', `/incoming_webhooks/${webhook.id}/requests?limit=60`)).body;
  const second = (
    await harness.call(
      'GET',
      `/incoming_webhooks/${webhook.id}/requests?limit=60&cursor=${first.next_cursor}`,
    )
  ).body;
  expect([...first.requests, ...second.requests].map(({ body }: { body: string }) => body)).toEqual(bodies);
  expect(second.next_cursor).toBe('');
  for (const query of ['?limit=0', '?limit=x', '?cursor=x'])
    expect((await harness.call('GET', `/incoming_webhooks/${webhook.id}/requests${query}`)).status).toBe(400);
});

test('old entries are deleted', async () => {
  const log = harness.api.app.get(RequestLog, { strict: false });
  const { id: webhookId } = await harness.webhook();
  for (let n = 0; n < 10; n += 1) {
    for (let i = 0; i < 100; i += 1) log.add({ ...entry(), webhookId });
    await log.flush();
  }
  const sql = 'SELECT 1 FROM incoming_requests WHERE webhook_id = $1';
  expect((await harness.api.db.query(sql, [webhookId])).length).toBeLessThanOrEqual(200);
});

test('a flood is bounded to one hundred unwritten entries per webhook and two thousand in total', async () => {
  const log = harness.api.app.get(RequestLog, { strict: false });
  const webhooks = [await harness.webhook(), await harness.webhook()];
  await log.flush();
  for (let n = 0; n < 5000; n += 1)
    log.add({ ...entry(), webhookId: webhooks[n % 2]?.id ?? '', reason: String(n) });
  const reasons = (await harness.requests(webhooks[1] as { id: string })).map(({ reason }) => reason);
  expect([reasons.length, reasons[0], reasons[99]]).toEqual([100, '4999', '4801']);
});

test.each([
  ['an ordinary message costs two statements: the token lookup and the post', false],
  ['a signed message costs one more: the claim of its signature', true],
])('%s', async (_, isSigned) => {
  const webhook = await harness.webhook({ require_signature: isSigned });
  const log = harness.api.app.get(RequestLog, { strict: false });
  const post = async (text: string): Promise<void> => {
    const body = JSON.stringify({ text });
    expect((await harness.post(webhook, body, native(webhook.secret, body))).status).toBe(200);
  };
  await post('a');
  await log.flush();
  const statements = await statementsDuring(harness.api.db, () => post('b'));
  // The bus sends one notification for many commits, and the log writes many requests together.
  expect(statements.filter((name) => !/^(bus_|incoming_requests\.)/.test(name))).toEqual([
    'incoming_webhooks.find_by_token',
    ...(isSigned ? ['incoming_signatures.claim'] : []),
    'messages.post_if_free',
  ]);
});
