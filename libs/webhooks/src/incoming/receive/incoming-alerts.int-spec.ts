import { startIncomingRig } from '../../testing/incoming-rig.js';
import type { IncomingRig } from '../../testing/incoming-rig.js';
import { ALERTMANAGER_FIRING, APPRISE_JSON } from '../native/testing/monitoring-bodies.js';
import { GITHUB_STAR } from '../native/testing/forge-bodies.js';

let rig: IncomingRig;

beforeAll(async () => {
  rig = await startIncomingRig();
});
afterAll(() => rig?.close());

/** The chat event of a message. */
async function eventOf(
  messageId: string,
): Promise<{ data: { text: string }; notify: { severity: string; channel: boolean } }> {
  const events = (await rig.chat.events()).map(({ payload }) => payload as never);
  return events.find(({ data }) => (data as { message_id?: string }).message_id === messageId) as never;
}

describe('an alert that has only attachments', () => {
  const attachments = [
    { color: 'danger', title: '[FIRING:1] Disk', text: 'on *db1*', pretext: '<!channel>', fallback: 'Disk' },
  ];

  test('has its words in the event, the push and history, and its rich parts unchanged', async () => {
    const webhook = await rig.webhook();
    const { body } = await rig.post(webhook, { attachments });
    const event = await eventOf(body.message_id);
    expect(event).toMatchObject({
      data: { text: '@channel\n[FIRING:1] Disk\non **db1**', text_derived: true },
      message: { text_derived: true },
      notify: { severity: 'critical', channel: true },
    });
    const [message] = await rig.history(webhook);
    expect(message).toMatchObject({ text: '@channel\n[FIRING:1] Disk\non **db1**', text_derived: true });
    expect(JSON.parse(message.metadata_json)).toEqual({ attachments });
  });

  test('is marked as derived until an edit brings a text; a sent text is not marked', async () => {
    const webhook = await rig.webhook();
    const { body } = await rig.post(webhook, { attachments });
    const place = `/api/v1/webhooks/incoming/${webhook.token}/messages/${body.message_id}`;
    expect((await rig.send(place, { text: 'sent', attachments }, undefined, 'PATCH')).status).toBe(200);
    expect((await rig.history(webhook))[0]).not.toHaveProperty('text_derived');
    expect((await rig.send(place, { attachments }, undefined, 'PATCH')).status).toBe(200);
    expect((await rig.history(webhook))[0]).toMatchObject({ text_derived: true });
    await rig.post(webhook, { attachments, dedup_key: 'disk' });
    await rig.post(webhook, { attachments, dedup_key: 'disk' });
    await rig.post(webhook, { text: 'sent', attachments });
    expect((await rig.history(webhook)).map(({ text_derived: derived }) => derived)).toEqual([
      true,
      true,
      undefined,
    ]);
  });

  test('is a warning where colours give no severity, from the next request on', async () => {
    const webhook = await rig.webhook({ severity_from_color: false });
    const first = await rig.post(webhook, { attachments });
    expect((await eventOf(first.body.message_id)).notify.severity).toBe('warning');
    await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, { severity_from_color: true });
    const second = await rig.post(webhook, { attachments });
    expect((await eventOf(second.body.message_id)).notify.severity).toBe('critical');
  });
});

describe("a program's own format", () => {
  test('becomes a message with a severity and buttons that calls nobody', async () => {
    const webhook = await rig.webhook();
    const { body } = await rig.post(webhook, ALERTMANAGER_FIRING);
    expect((await eventOf(body.message_id)).notify).toMatchObject({ severity: 'critical', channel: false });
    const [message] = await rig.history(webhook);
    expect(message.text).toMatch(/^\[FIRING:2\] HighCPU\n/);
    expect(JSON.parse(message.metadata_json)).toMatchObject({
      severity: 'critical',
      buttons: [{ url: 'https://am.example' }, { url: 'https://rb.example/cpu' }],
    });
  });

  test('GitHub names its event in a header, also in a form', async () => {
    const webhook = await rig.webhook();
    const form = new URLSearchParams({ payload: JSON.stringify(GITHUB_STAR) }).toString();
    await rig.post(webhook, form, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'star',
    });
    expect(await rig.history(webhook)).toMatchObject([{ text: '[acme/shop] ann: star created' }]);
  });

  test('the form of Apprise; another form without a payload is refused', async () => {
    const webhook = await rig.webhook();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const { attachments: _files, ...fields } = APPRISE_JSON;
    expect((await rig.post(webhook, new URLSearchParams(fields).toString(), type)).status).toBe(200);
    expect(await rig.history(webhook)).toMatchObject([{ text: 'Backup\ndb1 \\*failed\\* \\@channel' }]);
    expect((await rig.post(webhook, 'a=b&c=d', type)).status).toBe(400);
    expect((await rig.post(webhook, 'message=%00&type=info&title=a', type)).status).toBe(400);
  });

  test('plain text is literal: it is escaped and mentions nobody', async () => {
    const webhook = await rig.webhook();
    const type = { 'content-type': 'text/plain; charset=utf-8' };
    expect((await rig.post(webhook, `see *x* @here <@${rig.admin.id}>`, type)).status).toBe(200);
    const [message] = await rig.history(webhook);
    expect(message).toMatchObject({
      text: String.raw`see \*x\* \@here \<\@${rig.admin.id}>`,
      metadata_json: '{"severity":"warning"}',
    });
    expect(message).not.toHaveProperty('mentions');
    for (const refused of ['', ' \n', 'a\0b'])
      expect((await rig.post(webhook, refused, type)).status).toBe(400);
  });

  test('what nobody knows is 400, and the log names its keys', async () => {
    const webhook = await rig.webhook();
    expect((await rig.post(webhook, { foo: 1, message: 'x' })).status).toBe(400);
    expect((await rig.requests(webhook))[0]).toMatchObject({ reason: 'unknown format: keys foo, message' });
  });

  test.each(['/hooks/TOKEN', '/hooks/any/TOKEN', '/services/a/b/TOKEN', '/api/v1/webhooks/hooks/TOKEN'])(
    '%s is the same door',
    async (path) => {
      const webhook = await rig.webhook();
      const address = path.replace('TOKEN', webhook.token);
      const { status, text } = await rig.send(address, 'over', { 'content-type': 'text/plain' });
      expect({ status, text }).toEqual({ status: 200, text: 'ok' });
      expect(await rig.history(webhook)).toMatchObject([{ text: 'over' }]);
      expect((await rig.send(path, { text: 'x' })).status).toBe(401);
      expect((await rig.send(address, '', undefined, 'GET')).status).toBe(405);
    },
  );
});
