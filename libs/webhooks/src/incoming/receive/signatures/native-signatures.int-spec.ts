import githubBodies from '../../native/github/bodies.json' with { type: 'json' };
import gitlabBodies from '../../native/gitlab/bodies.json' with { type: 'json' };
import grafanaBodies from '../../native/grafana/bodies.json' with { type: 'json' };
import pagerdutyBodies from '../../native/pagerduty/bodies.json' with { type: 'json' };
import sentryBodies from '../../native/sentry/bodies.json' with { type: 'json' };
import { createHmac } from 'node:crypto';
import { readRows } from '@tieline/testing';
import { native, REJECTED, startIncomingHarness, unixSeconds } from '../../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook, PostResponse } from '../../../testing/incoming-harness.js';

const SECRET = 'a secret of the sender';
const JSON_TYPE = { 'content-type': 'application/json' };
let harness: IncomingHarness;
let webhook: TestWebhook;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
beforeEach(async () => {
  webhook = await harness.webhook({ require_signature: true, native_secret: SECRET });
});
afterAll(() => harness?.close());

/* Signed as documented by each vendor. */
const hmac = (bytes: string, secret = SECRET): string =>
  createHmac('sha256', secret).update(bytes).digest('hex');
const github = (body: string, secret = SECRET): Record<string, string> => ({
  ...JSON_TYPE,
  'x-hub-signature-256': `sha256=${hmac(body, secret)}`,
  'x-github-event': 'push',
  'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
});
const gitlab = (_body: string, secret = SECRET): Record<string, string> => ({
  ...JSON_TYPE,
  'x-gitlab-token': secret,
});
const sentry = (body: string, secret = SECRET): Record<string, string> => ({
  ...JSON_TYPE,
  'sentry-hook-signature': hmac(body, secret),
  'sentry-hook-timestamp': unixSeconds(),
});
const pagerduty = (body: string, secret = SECRET): Record<string, string> => ({
  ...JSON_TYPE,
  'x-pagerduty-signature': `v1=${hmac(body, 'the secret before')},v1=${hmac(body, secret)}`,
});
const grafana = (body: string, secret = SECRET): Record<string, string> => ({
  ...JSON_TYPE,
  'x-grafana-alerting-signature': hmac(body, secret),
});
const grafanaAt =
  (timestamp: string, header = 'x-grafana-alerting-timestamp') =>
  (body: string, secret = SECRET): Record<string, string> => ({
    ...JSON_TYPE,
    'x-grafana-alerting-signature': hmac(`${timestamp}:${body}`, secret),
    [header]: timestamp,
  });

const SENDERS: [string, object, (body: string, secret?: string) => Record<string, string>][] = [
  ['GitHub', githubBodies.push, github],
  ['GitLab', gitlabBodies.push, gitlab],
  ['Sentry', sentryBodies.firing, sentry],
  ['PagerDuty', pagerdutyBodies.firing, pagerduty],
  ['Grafana', grafanaBodies.firing, grafana],
  ['Grafana with a timestamp', grafanaBodies.firing, (...given) => grafanaAt(unixSeconds())(...given)],
  [
    'Grafana with the other common timestamp header',
    grafanaBodies.firing,
    (...given) => grafanaAt(unixSeconds(), 'x-grafana-alerting-signature-timestamp')(...given),
  ],
];

const refused = async (body: string, headers: Record<string, string>): Promise<void> =>
  expect(await harness.post(webhook, body, headers)).toMatchObject({ status: 401, body: REJECTED });
const reason = async (): Promise<string | undefined> => (await harness.requests(webhook))[0]?.reason;

describe.each(SENDERS)('%s', (_, sent, sign) => {
  const body = JSON.stringify(sent);

  test('a valid signature is accepted', async () => {
    expect((await harness.post(webhook, body, sign(body))).status).toBe(200);
    expect(await harness.history(webhook)).toHaveLength(1);
  });

  test('a signature with another secret is rejected, and any if the webhook has no secret', async () => {
    await refused(body, sign(body, `${SECRET}x`));
    webhook = await harness.webhook({ require_signature: true });
    await refused(body, sign(body));
    expect(await reason()).toContain('has no native_secret');
  });

  test('a second scheme is rejected', async () => {
    await refused(body, { ...native(webhook.secret, body), ...sign(body) });
    expect(await reason()).toBe('headers of more than one signature scheme');
    expect(await harness.history(webhook)).toEqual([]);
  });
});

test('test vectors of the vendors’ documentation are accepted', async () => {
  webhook = await harness.webhook({ require_signature: true, native_secret: "It's a Secret to Everybody" });
  // docs.github.com, "Validating webhook deliveries"
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  expect(`sha256=${hmac('Hello, World!', "It's a Secret to Everybody")}`).toBe(signature);
  const body = JSON.stringify(githubBodies.ping);
  expect((await harness.post(webhook, body, github(body, "It's a Secret to Everybody"))).status).toBe(200);
});

test('the signature of a GitHub form covers the form', async () => {
  const body = new URLSearchParams({ payload: JSON.stringify(githubBodies.issue) }).toString();
  const headers = { ...github(body), 'content-type': 'application/x-www-form-urlencoded' };
  expect((await harness.post(webhook, body, headers)).status).toBe(200);
});

test('Tieline signatures are still accepted', async () => {
  expect((await harness.post(webhook, '{"text":"a"}', native(webhook.secret, '{"text":"a"}'))).status).toBe(
    200,
  );
});

test('another body, a malformed digest and two values are rejected', async () => {
  const body = JSON.stringify(githubBodies.push);
  await refused(`${body} `, github(body));
  for (const value of [
    'sha256=',
    `sha1=${hmac(body)}`,
    hmac(body),
    `sha256=${hmac(body)}, sha256=${hmac(body)}`,
  ])
    await refused(body, { ...JSON_TYPE, 'x-hub-signature-256': value });
});

test('a Grafana timestamp is rejected if it is too far off or moved into the body', async () => {
  const body = JSON.stringify(grafanaBodies.firing);
  const late = unixSeconds(-301);
  await refused(body, grafanaAt(late)(body));
  expect(await reason()).toContain('timestamp');
  const moved = `${late}:${body}`;
  await refused(moved, { ...grafana(moved), 'content-type': 'text/plain' });
});

describe('repeats', () => {
  const post = (
    sign: (body: string) => Record<string, string>,
    sent: object,
    path?: string,
  ): Promise<PostResponse> => {
    const body = JSON.stringify(sent);
    return harness.send(path ?? `/api/v1/webhooks/incoming/${webhook.token}`, body, sign(body));
  };

  test.each(SENDERS.filter(([name]) => name !== 'GitLab'))(
    '%s: the same body gets the stored result',
    async (_name, sent, sign) => {
      const headers = sign(JSON.stringify(sent));
      const first = await post(() => headers, sent);
      expect(await post(() => headers, sent)).toMatchObject({ status: 200, body: first.body });
      expect((await harness.history(webhook))[0]?.metadata_json ?? '').not.toContain('"repeat_count":2');
      expect(await harness.history(webhook)).toHaveLength(1);
      expect((await post(() => headers, sent, `/hooks/${webhook.token}`)).status).toBe(401);
    },
  );

  test('another GitHub delivery id, which the signature does not cover, posts no second message', async () => {
    await post(github, githubBodies.push);
    await post((body) => ({ ...github(body), 'x-github-delivery': 'other' }), githubBodies.push);
    expect(await harness.history(webhook)).toHaveLength(1);
  });

  test("GitLab's token is no signature, so equal events post two messages unless the Idempotency-Key repeats", async () => {
    for (let n = 0; n < 2; n += 1) await post(gitlab, gitlabBodies.push);
    expect(await harness.history(webhook)).toHaveLength(2);
    const keyed = (body: string): Record<string, string> => ({
      ...gitlab(body),
      'idempotency-key': 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f',
    });
    for (let n = 0; n < 2; n += 1) await post(keyed, gitlabBodies.push);
    expect(await harness.history(webhook)).toHaveLength(3);
  });
});

describe('native_secret', () => {
  const change = (
    body: object,
  ): Promise<{ status: number; body: { webhook: { has_native_secret: boolean } } }> =>
    harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, body);
  const BODY = JSON.stringify(githubBodies.push);

  test('is stored sealed and never shown', async () => {
    const shown = await harness.call('GET', `/incoming_webhooks/${webhook.id}`);
    expect(shown.body.webhook).toMatchObject({ has_native_secret: true });
    const everywhere = [
      shown.body,
      (await harness.call('GET', '/incoming_webhooks')).body,
      (await harness.call('GET', '/audit_log?limit=200')).body,
      (await change({ name: 'New' })).body,
    ];
    const [row] = await readRows<{ sealed: Buffer }>(
      harness.api.db,
      'SELECT native_secret AS sealed FROM incoming_webhooks WHERE id = $1',
      [webhook.id],
    );
    expect(JSON.stringify(everywhere)).not.toContain(SECRET);
    expect(row?.sealed.toString('latin1')).not.toContain(SECRET);
  });

  test('is replaced by a new value, kept by null and removed by ""; the audit log records it', async () => {
    expect((await change({ native_secret: 'another one' })).body.webhook.has_native_secret).toBe(true);
    await refused(BODY, github(BODY));
    expect((await change({ native_secret: null })).body.webhook.has_native_secret).toBe(true);
    expect((await harness.post(webhook, BODY, github(BODY, 'another one'))).status).toBe(200);
    for (let n = 0; n < 2; n += 1)
      expect((await change({ native_secret: '' })).body.webhook.has_native_secret).toBe(false);
    const { entries } = (await harness.call('GET', `/audit_log?limit=200&object_id=${webhook.id}`)).body;
    expect(
      entries.map(({ changes }: { changes: { native_secret?: object } }) => changes.native_secret).reverse(),
    ).toEqual([
      { from: null, to: 'set' },
      { from: 'set', to: 'replaced' },
      { from: 'set', to: null },
    ]);
  });

  test.each([
    ['too long', 'x'.repeat(257)],
    ['a NUL character', 'a\0b'],
    ['no text', 7],
  ])('400: %s', async (_, native_secret) => {
    expect((await change({ native_secret })).status).toBe(400);
  });

  test('signatures are ignored without require_signature', async () => {
    await change({ require_signature: false });
    expect((await harness.post(webhook, BODY, github(BODY, 'wrong'))).status).toBe(200);
  });

  test('is deleted with the webhook', async () => {
    await harness.call('DELETE', `/incoming_webhooks/${webhook.id}`);
    expect(
      await readRows(harness.api.db, 'SELECT native_secret FROM incoming_webhooks WHERE id = $1', [
        webhook.id,
      ]),
    ).toEqual([{ native_secret: null }]);
  });
});
