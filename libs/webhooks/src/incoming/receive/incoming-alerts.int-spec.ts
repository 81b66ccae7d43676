import alertmanager from '../native/alertmanager/bodies.json' with { type: 'json' };
import apprise from '../native/apprise/bodies.json' with { type: 'json' };
import github from '../native/github/bodies.json' with { type: 'json' };
import { recordedBodies } from '../native/testing/recorded-bodies.js';
import { startIncomingHarness } from '../../testing/incoming-harness.js';
import type { IncomingHarness } from '../../testing/incoming-harness.js';

let harness: IncomingHarness;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
afterAll(() => harness?.close());

/** The chat event of a message. */
async function eventOf(
  messageId: string,
): Promise<{ data: { text: string }; notify: { severity: string; channel: boolean } }> {
  const events = (await harness.chat.events()).map(({ payload }) => payload as never);
  return events.find(({ data }) => (data as { message_id?: string }).message_id === messageId) as never;
}

describe('an alert with only attachments', () => {
  const attachments = [
    { color: 'danger', title: '[FIRING:1] Disk', text: 'on *db1*', pretext: '<!channel>', fallback: 'Disk' },
  ];

  test('has its derived text in event, push and history, and its attachments unchanged', async () => {
    const webhook = await harness.webhook();
    const { body } = await harness.post(webhook, { attachments });
    const event = await eventOf(body.message_id);
    expect(event).toMatchObject({
      data: { text: '@channel\n[FIRING:1] Disk\non **db1**', text_derived: true },
      message: { text_derived: true },
      notify: { severity: 'critical', channel: true },
    });
    const [message] = await harness.history(webhook);
    expect(message).toMatchObject({ text: '@channel\n[FIRING:1] Disk\non **db1**', text_derived: true });
    expect(JSON.parse(message.metadata_json)).toEqual({ attachments });
  });

  test('is marked as derived until an edit brings a text', async () => {
    const webhook = await harness.webhook();
    const { body } = await harness.post(webhook, { attachments });
    const place = `/api/v1/webhooks/incoming/${webhook.token}/messages/${body.message_id}`;
    expect((await harness.send(place, { text: 'sent', attachments }, undefined, 'PATCH')).status).toBe(200);
    expect((await harness.history(webhook))[0]).not.toHaveProperty('text_derived');
    expect((await harness.send(place, { attachments }, undefined, 'PATCH')).status).toBe(200);
    expect((await harness.history(webhook))[0]).toMatchObject({ text_derived: true });
    await harness.post(webhook, { attachments, dedup_key: 'disk' });
    await harness.post(webhook, { attachments, dedup_key: 'disk' });
    await harness.post(webhook, { text: 'sent', attachments });
    expect((await harness.history(webhook)).map(({ text_derived: derived }) => derived)).toEqual([
      true,
      true,
      undefined,
    ]);
  });

  test('is a warning once severity_from_color is off, from the next request on', async () => {
    const webhook = await harness.webhook({ severity_from_color: false });
    const first = await harness.post(webhook, { attachments });
    expect((await eventOf(first.body.message_id)).notify.severity).toBe('warning');
    await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { severity_from_color: true });
    const second = await harness.post(webhook, { attachments });
    expect((await eventOf(second.body.message_id)).notify.severity).toBe('critical');
  });
});

describe('a native format', () => {
  test.each(recordedBodies())('%s: each recorded body becomes a message', async (_sender, bodies) => {
    const webhook = await harness.webhook({ group_alerts: false });
    for (const body of Object.values(bodies))
      expect(await harness.post(webhook, body)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await harness.history(webhook)).toHaveLength(Object.keys(bodies).length);
  });

  test('becomes a message with severity and buttons that mentions nobody', async () => {
    const webhook = await harness.webhook();
    const { body } = await harness.post(webhook, alertmanager.firing);
    expect((await eventOf(body.message_id)).notify).toMatchObject({ severity: 'critical', channel: false });
    const [message] = await harness.history(webhook);
    expect(message.text).toMatch(/^\[FIRING:2\] HighCPU\n/);
    expect(JSON.parse(message.metadata_json)).toMatchObject({
      severity: 'critical',
      buttons: [{ url: 'https://am.example' }, { url: 'https://rb.example/cpu' }],
    });
  });

  test('GitHub may name its event in a header, also with a form', async () => {
    const webhook = await harness.webhook();
    const form = new URLSearchParams({ payload: JSON.stringify(github.star) }).toString();
    await harness.post(webhook, form, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'star',
    });
    expect(await harness.history(webhook)).toMatchObject([{ text: '[acme/shop] ann: star created' }]);
  });

  test('the form of Apprise is accepted, another form without a payload rejected', async () => {
    const webhook = await harness.webhook();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const { attachments: _files, ...fields } = apprise.failure;
    expect((await harness.post(webhook, new URLSearchParams(fields).toString(), type)).status).toBe(200);
    expect(await harness.history(webhook)).toMatchObject([{ text: 'Backup\ndb1 \\*failed\\* \\@channel' }]);
    expect((await harness.post(webhook, 'a=b&c=d', type)).status).toBe(400);
    expect((await harness.post(webhook, 'message=%00&type=info&title=a', type)).status).toBe(400);
  });

  test('plain text is escaped and mentions nobody', async () => {
    const webhook = await harness.webhook();
    const type = { 'content-type': 'text/plain; charset=utf-8' };
    expect((await harness.post(webhook, `see *x* @here <@${harness.admin.id}>`, type)).status).toBe(200);
    const [message] = await harness.history(webhook);
    expect(message).toMatchObject({
      text: String.raw`see \*x\* \@here \<\@${harness.admin.id}>`,
      metadata_json: '{"severity":"warning"}',
    });
    expect(message).not.toHaveProperty('mentions');
    for (const refused of ['', ' \n', 'a\0b'])
      expect((await harness.post(webhook, refused, type)).status).toBe(400);
  });

  test('an unknown format answers 400, and the log names its fields', async () => {
    const webhook = await harness.webhook();
    expect((await harness.post(webhook, { foo: 1, message: 'x' })).status).toBe(400);
    expect((await harness.requests(webhook))[0]).toMatchObject({
      reason: 'unknown format: keys foo, message',
    });
  });

  test.each(['/hooks/TOKEN', '/hooks/any/TOKEN', '/services/a/b/TOKEN', '/api/v1/webhooks/hooks/TOKEN'])(
    '%s accepts it too',
    async (path) => {
      const webhook = await harness.webhook();
      const address = path.replace('TOKEN', webhook.token);
      const { status, text } = await harness.send(address, 'over', { 'content-type': 'text/plain' });
      expect({ status, text }).toEqual({ status: 200, text: 'ok' });
      expect(await harness.history(webhook)).toMatchObject([{ text: 'over' }]);
      expect((await harness.send(path, { text: 'x' })).status).toBe(401);
      expect((await harness.send(address, '', undefined, 'GET')).status).toBe(405);
    },
  );
});
