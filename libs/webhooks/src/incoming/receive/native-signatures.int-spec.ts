import { createHmac } from 'node:crypto';
import { readRows } from '@tieline/testing';
import * as forge from '../native/testing/forge-bodies.js';
import * as monitoring from '../native/testing/monitoring-bodies.js';
import { native, REJECTED, startIncomingRig, unixSeconds } from '../../testing/incoming-rig.js';
import type { IncomingRig, MadeWebhook, PostAnswer } from '../../testing/incoming-rig.js';

const SECRET = 'a secret of the sender';
const JSON_TYPE = { 'content-type': 'application/json' };
let rig: IncomingRig;
let webhook: MadeWebhook;

beforeAll(async () => {
  rig = await startIncomingRig();
});
beforeEach(async () => {
  webhook = await rig.webhook({ require_signature: true, native_secret: SECRET });
});
afterAll(() => rig?.close());

/* Signed as each vendor's documentation says. */
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
  ['GitHub', forge.GITHUB_PUSH, github],
  ['GitLab', forge.GITLAB_PUSH, gitlab],
  ['Sentry', monitoring.SENTRY_ISSUE_ALERT, sentry],
  ['Grafana', monitoring.GRAFANA_FIRING, grafana],
  ['Grafana with a timestamp', monitoring.GRAFANA_FIRING, (...given) => grafanaAt(unixSeconds())(...given)],
  [
    'Grafana with the other usual header for a timestamp',
    monitoring.GRAFANA_FIRING,
    (...given) => grafanaAt(unixSeconds(), 'x-grafana-alerting-signature-timestamp')(...given),
  ],
];

const refused = async (body: string, headers: Record<string, string>): Promise<void> =>
  expect(await rig.post(webhook, body, headers)).toMatchObject({ status: 401, body: REJECTED });
const reason = async (): Promise<string | undefined> => (await rig.requests(webhook))[0]?.reason;

describe.each(SENDERS)('%s', (_, sent, sign) => {
  const body = JSON.stringify(sent);

  test('its own signature is accepted', async () => {
    expect((await rig.post(webhook, body, sign(body))).status).toBe(200);
    expect(await rig.history(webhook)).toHaveLength(1);
  });

  test('one by another secret is refused, and where the webhook has none', async () => {
    await refused(body, sign(body, `${SECRET}x`));
    webhook = await rig.webhook({ require_signature: true });
    await refused(body, sign(body));
    expect(await reason()).toContain('has no native_secret');
  });

  test('it comes alone', async () => {
    await refused(body, { ...native(webhook.secret, body), ...sign(body) });
    expect(await reason()).toBe('headers of more than one signature scheme');
    expect(await rig.history(webhook)).toEqual([]);
  });
});

test('vectors of the vendors’ documentation', async () => {
  webhook = await rig.webhook({ require_signature: true, native_secret: "It's a Secret to Everybody" });
  // docs.github.com, "Validating webhook deliveries"
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  expect(`sha256=${hmac('Hello, World!', "It's a Secret to Everybody")}`).toBe(signature);
  const body = JSON.stringify(forge.GITHUB_PING);
  expect((await rig.post(webhook, body, github(body, "It's a Secret to Everybody"))).status).toBe(200);
});

test('a form of GitHub is signed over the form', async () => {
  const body = new URLSearchParams({ payload: JSON.stringify(forge.GITHUB_ISSUE) }).toString();
  const headers = { ...github(body), 'content-type': 'application/x-www-form-urlencoded' };
  expect((await rig.post(webhook, body, headers)).status).toBe(200);
});

test('signatures of Tieline still count', async () => {
  expect((await rig.post(webhook, '{"text":"a"}', native(webhook.secret, '{"text":"a"}'))).status).toBe(200);
});

test('another body, a malformed digest and two values are refused', async () => {
  const body = JSON.stringify(forge.GITHUB_PUSH);
  await refused(`${body} `, github(body));
  for (const value of [
    'sha256=',
    `sha1=${hmac(body)}`,
    hmac(body),
    `sha256=${hmac(body)}, sha256=${hmac(body)}`,
  ])
    await refused(body, { ...JSON_TYPE, 'x-hub-signature-256': value });
});

test('a timestamp of Grafana that is too far off is refused, and so is one that was moved into the body', async () => {
  const body = JSON.stringify(monitoring.GRAFANA_FIRING);
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
  ): Promise<PostAnswer> => {
    const body = JSON.stringify(sent);
    return rig.send(path ?? `/api/v1/webhooks/incoming/${webhook.token}`, body, sign(body));
  };

  test.each(SENDERS.filter(([name]) => name !== 'GitLab'))(
    '%s: the same bytes are answered with the stored result',
    async (_name, sent, sign) => {
      const headers = sign(JSON.stringify(sent));
      const first = await post(() => headers, sent);
      expect(await post(() => headers, sent)).toMatchObject({ status: 200, body: first.body });
      expect((await rig.history(webhook))[0]?.metadata_json ?? '').not.toContain('"repeat_count":2');
      expect(await rig.history(webhook)).toHaveLength(1);
      expect((await post(() => headers, sent, `/hooks/${webhook.token}`)).status).toBe(401);
    },
  );

  test('another delivery id of GitHub, which nothing signs, makes no second message', async () => {
    await post(github, forge.GITHUB_PUSH);
    await post((body) => ({ ...github(body), 'x-github-delivery': 'other' }), forge.GITHUB_PUSH);
    expect(await rig.history(webhook)).toHaveLength(1);
  });

  test('the token of GitLab is no signature, so equal events are two messages; its Idempotency-Key tells repeats', async () => {
    for (let n = 0; n < 2; n += 1) await post(gitlab, forge.GITLAB_PUSH);
    expect(await rig.history(webhook)).toHaveLength(2);
    const keyed = (body: string): Record<string, string> => ({
      ...gitlab(body),
      'idempotency-key': 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f',
    });
    for (let n = 0; n < 2; n += 1) await post(keyed, forge.GITLAB_PUSH);
    expect(await rig.history(webhook)).toHaveLength(3);
  });
});

describe('native_secret', () => {
  const change = (
    body: object,
  ): Promise<{ status: number; body: { webhook: { has_native_secret: boolean } } }> =>
    rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, body);
  const BODY = JSON.stringify(forge.GITHUB_PUSH);

  test('is stored sealed and never shown', async () => {
    const shown = await rig.call('GET', `/incoming_webhooks/${webhook.id}`);
    expect(shown.body.webhook).toMatchObject({ has_native_secret: true });
    const everywhere = [
      shown.body,
      (await rig.call('GET', '/incoming_webhooks')).body,
      (await rig.call('GET', '/audit_log?limit=200')).body,
      (await change({ name: 'New' })).body,
    ];
    const [row] = await readRows<{ sealed: Buffer }>(
      rig.api.db,
      'SELECT native_secret AS sealed FROM incoming_webhooks WHERE id = $1',
      [webhook.id],
    );
    expect(JSON.stringify(everywhere)).not.toContain(SECRET);
    expect(row?.sealed.toString('latin1')).not.toContain(SECRET);
  });

  test('is replaced, kept by null, taken away by an empty one; the audit log says so', async () => {
    expect((await change({ native_secret: 'another one' })).body.webhook.has_native_secret).toBe(true);
    await refused(BODY, github(BODY));
    expect((await change({ native_secret: null })).body.webhook.has_native_secret).toBe(true);
    expect((await rig.post(webhook, BODY, github(BODY, 'another one'))).status).toBe(200);
    for (let n = 0; n < 2; n += 1)
      expect((await change({ native_secret: '' })).body.webhook.has_native_secret).toBe(false);
    const { entries } = (await rig.call('GET', `/audit_log?limit=200&object_id=${webhook.id}`)).body;
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

  test('without require_signature any signature is ignored', async () => {
    await change({ require_signature: false });
    expect((await rig.post(webhook, BODY, github(BODY, 'wrong'))).status).toBe(200);
  });

  test('is forgotten on deletion', async () => {
    await rig.call('DELETE', `/incoming_webhooks/${webhook.id}`);
    expect(
      await readRows(rig.api.db, 'SELECT native_secret FROM incoming_webhooks WHERE id = $1', [webhook.id]),
    ).toEqual([{ native_secret: null }]);
  });
});
