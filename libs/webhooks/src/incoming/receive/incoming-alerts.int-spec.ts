import { startIncomingRig } from '../../testing/incoming-rig.js';
import type { IncomingRig } from '../../testing/incoming-rig.js';

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
      data: { text: '@channel\n[FIRING:1] Disk\non **db1**' },
      notify: { severity: 'critical', channel: true },
    });
    const [message] = await rig.history(webhook);
    expect(message.text).toBe('@channel\n[FIRING:1] Disk\non **db1**');
    expect(JSON.parse(message.metadata_json)).toEqual({ attachments });
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
