import { BOTS_WORKER } from '@tieline/bots/testing';
import { NotificationsModule, NotificationsWorkerModule } from '@tieline/notifications';
import { InteractiveWorkerModule } from '@tieline/interactive';
import { eventually } from '@tieline/testing';
import { SlashWorkerModule } from '../slash-worker.module.js';
import { SlashHarness } from '../testing/index.js';
import { vote } from './poll/vote.js';

let harness: SlashHarness;
beforeAll(async () => {
  const worker = [...BOTS_WORKER, NotificationsWorkerModule, InteractiveWorkerModule, SlashWorkerModule];
  harness = await SlashHarness.start({}, [...worker, NotificationsModule]);
});
afterAll(() => harness?.close());

test('a worker posts a reminder on time, once, with a push', async () => {
  const channel = await harness.channel();
  await harness.invoke(channel, '/remind me in 1m stretch');
  await harness.api.db.query(
    // Not late, however busy the machine is.
    `UPDATE reminders SET due_at = now() + interval '1 hour', next_try_at = now() + interval '2 seconds'`,
  );
  const own = await harness.fixture.chat.direct(
    { id: harness.person.id, type: 'user' },
    { id: harness.person.id, type: 'user' },
  );
  await eventually(async () => expect(await harness.messages(own)).toHaveLength(1));
  const [message] = await harness.messages(own);
  expect(message).toMatchObject({ text: 'Reminder: stretch', author_type: 'system' });
  await eventually(async () => {
    const { body } = await harness.api.call('GET', '/api/v1/client/notifications', {
      token: harness.person.token,
    });
    expect(body.notifications).toEqual([
      expect.objectContaining({ message_id: message!.id, conversation_id: own, kind: 'push' }),
    ]);
  });
});

test('a worker shows a vote that was not shown', async () => {
  const channel = await harness.channel();
  const { body } = await harness.invoke(channel, '/poll "Lunch?" "Pizza" "Sushi"');
  await vote(
    harness.api.db,
    { spaceId: harness.fixture.space.spaceId, messageId: body.message_id },
    harness.person.id,
    1,
  );
  await eventually(async () =>
    expect((await harness.messages(channel))[0]!.text).toContain('1. Pizza: 1 vote'),
  );
});
