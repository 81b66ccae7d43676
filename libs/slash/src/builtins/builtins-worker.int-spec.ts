import { BOTS_WORKER } from '@tieline/bots/testing';
import { NotificationsModule, NotificationsWorkerModule } from '@tieline/conversations';
import { InteractiveWorkerModule } from '@tieline/interactive';
import { eventually } from '@tieline/testing';
import { SlashWorkerModule } from '../slash-worker.module.js';
import { SlashRig } from '../testing/index.js';
import { vote } from './poll/vote.js';

let rig: SlashRig;
beforeAll(async () => {
  const worker = [...BOTS_WORKER, NotificationsWorkerModule, InteractiveWorkerModule, SlashWorkerModule];
  rig = await SlashRig.start({}, [...worker, NotificationsModule]);
});
afterAll(() => rig?.close());

test('a reminder comes in its second, by itself, once, with a push', async () => {
  const channel = await rig.channel();
  await rig.invoke(channel, '/remind me in 1m stretch');
  await rig.api.db.query(
    `UPDATE reminders SET due_at = now() + interval '2 seconds', next_try_at = now() + interval '2 seconds'`,
  );
  const own = await rig.fixture.chat.direct(
    { id: rig.person.id, type: 'user' },
    { id: rig.person.id, type: 'user' },
  );
  await eventually(async () => expect(await rig.messages(own)).toHaveLength(1));
  const [message] = await rig.messages(own);
  expect(message).toMatchObject({ text: 'Reminder: stretch', author_type: 'system' });
  await eventually(async () => {
    const { body } = await rig.api.call('GET', '/api/v1/client/notifications', { token: rig.person.token });
    expect(body.notifications).toEqual([
      expect.objectContaining({ message_id: message!.id, conversation_id: own, kind: 'push' }),
    ]);
  });
});

test('a vote that nobody showed is shown', async () => {
  const channel = await rig.channel();
  const { body } = await rig.invoke(channel, '/poll "Lunch?" "Pizza" "Sushi"');
  await vote(
    rig.api.db,
    { spaceId: rig.fixture.space.spaceId, messageId: body.message_id },
    rig.person.id,
    1,
  );
  await eventually(async () => expect((await rig.messages(channel))[0]!.text).toContain('1. Pizza: 1 vote'));
});
