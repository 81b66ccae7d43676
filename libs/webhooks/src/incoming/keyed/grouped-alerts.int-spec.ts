import alertmanager from '../native/alertmanager/bodies.json' with { type: 'json' };
import github from '../native/github/bodies.json' with { type: 'json' };
import gitlab from '../native/gitlab/bodies.json' with { type: 'json' };
import kuma from '../native/uptime-kuma/bodies.json' with { type: 'json' };
import { recordedBodies } from '../native/testing/recorded-bodies.js';
import { startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook, PostResponse } from '../../testing/incoming-harness.js';

let harness: IncomingHarness;
let webhook: TestWebhook;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
beforeEach(async () => {
  webhook = await harness.webhook();
});
afterAll(() => harness?.close());

interface Shown {
  id: string;
  text: string;
  metadata: Record<string, unknown>;
}

async function post(body: unknown, query = '', path = '/api/v1/webhooks/incoming/'): Promise<PostResponse> {
  const answer = await harness.send(`${path}${webhook.token}${query}`, body);
  expect(answer.status).toBe(200);
  return answer;
}

const shown = async (): Promise<Shown[]> =>
  (await harness.history(webhook)).map(({ id, text, metadata_json: json }) => ({
    id,
    text,
    metadata: JSON.parse(json ?? '{}') as Record<string, unknown>,
  }));

const repliesTo = async (root: string): Promise<number> => {
  const path = `/api/v1/channels/${webhook.conversationId}/messages?limit=200&thread_id=${root}`;
  return (await harness.api.call('GET', path, { token: harness.space.owner.token })).body.messages.length;
};

describe('a resolved alert closes its message', () => {
  test.each(
    recordedBodies().flatMap(([sender, { firing, resolved }]) =>
      firing && resolved ? [[sender, firing, resolved] as const] : [],
    ),
  )('%s: repeats edit the open message, resolved edits and ends it', async (_, firing, resolved) => {
    const { message_id: id } = (await post(firing)).body;
    expect((await post(firing)).body.message_id).toBe(id);
    expect(await shown()).toMatchObject([{ id, metadata: { repeat_count: 2 } }]);
    expect((await post(resolved)).body.message_id).toBe(id);
    expect(await shown()).toMatchObject([
      {
        id,
        text: expect.stringMatching(/resolved/i),
        metadata: { severity: 'info', repeat_count: 2, resolved: true },
      },
    ]);
    expect((await post(firing)).body.message_id).not.toBe(id);
  });

  test('another group gets another message', async () => {
    await post(alertmanager.firing);
    await post({ ...alertmanager.firing, groupKey: '{}:{alertname="DiskFull"}' });
    expect(await shown()).toHaveLength(2);
  });

  test('a resolved alert that is not open becomes an ordinary message', async () => {
    await post(alertmanager.resolved);
    const [message, ...others] = await shown();
    expect(others).toEqual([]);
    expect(message?.metadata).not.toHaveProperty('resolved');
  });

  test('without group_alerts each message is posted', async () => {
    webhook = await harness.webhook({ group_alerts: false });
    for (const body of [alertmanager.firing, alertmanager.resolved]) await post(body);
    const messages = await shown();
    expect(messages).toHaveLength(2);
    for (const { metadata } of messages) expect(metadata).not.toHaveProperty('repeat_count');
  });
});

describe('events about one subject share a thread', () => {
  test.each([
    ['GitHub: an issue and its comments', github.issue, github.comment],
    ['GitHub: a pull request', { ...github.pullRequest, action: 'opened' }, github.pullRequest],
    ['GitHub: a run', { ...github.run, action: 'requested' }, github.run],
    ['GitLab: a merge request', gitlab.mergeRequest, gitlab.mergeRequest],
    ['GitLab: a pipeline', gitlab.pipeline, gitlab.pipeline],
  ])('%s', async (_, first, second) => {
    const { message_id: root } = (await post(first)).body;
    await post(github.push);
    await post(second);
    expect((await shown()).map(({ id }) => id)).toContain(root);
    expect(await shown()).toHaveLength(2);
    expect(await repliesTo(root as string)).toBe(1);
  });
});

describe('keys in the query string', () => {
  test.each<[string, unknown, string]>([
    ['Slack-shaped', { text: 'disk full' }, '/services/a/b/'],
    ['flat', { message: { content: 'disk full' } }, '/api/v1/webhooks/incoming/'],
    ['GitHub', github.push, '/hooks/'],
    ['Alertmanager', alertmanager.firing, '/api/v1/webhooks/incoming/'],
  ])('%s: requests with one dedup_key share a message', async (_, body, path) => {
    for (let n = 0; n < 2; n += 1) await post(body, '?dedup_key=disk%2Fdb1', path);
    expect(await shown()).toMatchObject([{ metadata: { repeat_count: 2 } }]);
  });

  test('work with plain text', async () => {
    for (const text of ['90 %', '95 %'])
      await harness.send(`/hooks/${webhook.token}?dedup_key=cpu`, text, { 'content-type': 'text/plain' });
    expect(await shown()).toMatchObject([{ text: '95 %', metadata: { repeat_count: 2 } }]);
  });

  test('thread_key creates one thread', async () => {
    const { message_id: root } = (await post({ text: 'a' }, '?thread_key=t')).body;
    await post(kuma.test, '?thread_key=t');
    expect(await shown()).toHaveLength(1);
    expect(await repliesTo(root as string)).toBe(1);
  });

  test('take precedence over keys in the body and native keys', async () => {
    await post({ text: 'a', dedup_key: 'one' }, '?dedup_key=all');
    await post({ text: 'b', dedup_key: 'two' }, '?dedup_key=all');
    await post(kuma.firing, '?dedup_key=all');
    expect(await shown()).toMatchObject([{ metadata: { repeat_count: 3 } }]);
  });

  test("a program's resolved alert closes the key, even without group_alerts", async () => {
    webhook = await harness.webhook({ group_alerts: false });
    const { message_id: id } = (await post(kuma.firing, '?dedup_key=site')).body;
    await post(kuma.resolved, '?dedup_key=site');
    expect(await shown()).toMatchObject([{ id, metadata: { resolved: true } }]);
  });

  test('a body with only resolved is accepted', async () => {
    const { message_id: id } = (await post({ text: 'a' }, '?dedup_key=k')).body;
    expect((await post({ resolved: true }, '?dedup_key=k')).body.message_id).toBe(id);
    expect((await post({ resolved: true }, '?dedup_key=k')).body.message_id).toBe('');
    expect(await shown()).toMatchObject([{ id, text: '[RESOLVED] a' }]);
  });

  test('an empty key counts as absent, and an invalid one answers 400', async () => {
    for (let n = 0; n < 2; n += 1) await post({ text: 'a' }, '?dedup_key=&thread_key=');
    expect(await shown()).toHaveLength(2);
    await post({ text: 'a' }, `?dedup_key=${encodeURIComponent('😀'.repeat(128))}`);
    for (const query of [`dedup_key=${'x'.repeat(129)}`, 'thread_key=a&thread_key=b', 'dedup_key=a%00b'])
      expect((await harness.send(`/hooks/${webhook.token}?${query}`, { text: 'a' })).status).toBe(400);
    expect((await harness.requests(webhook))[0]?.reason).toContain('dedup_key');
  });
});
