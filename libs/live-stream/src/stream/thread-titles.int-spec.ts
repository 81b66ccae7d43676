import { titleThread } from '@tieline/conversations';
import { ChatFixture } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { seedSpace } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { LiveHarness } from '../testing/live-harness.js';

let harness: LiveHarness;

beforeAll(async () => {
  harness = await LiveHarness.start();
});
afterAll(() => harness?.close());

test('members see that a bot sets and removes the title of a thread', async () => {
  const { spaceId, ...space } = await seedSpace(harness.db);
  const chat = new ChatFixture(harness.db, spaceId);
  const ann = await space.person('member', 'Ann');
  const botId = uuidv7();
  const author = { id: ann.id, type: 'user' as const };
  const channel = await chat.conversation({
    scope: 'private',
    members: [author, { id: botId, type: 'bot' }],
  });
  const { messageId: root } = await chat.post(channel, author, 'question');
  const stream = await harness.api.open(ann.token);
  for (const title of ['Release 4711', 'Release 4711', null])
    await runInWorkerTx(harness.db, (tx) => titleThread(tx, { spaceId, rootMessageId: root, title, botId }));
  const titles = (): unknown[] => stream.events.filter((event) => event['event'] === 'thread.updated');
  await stream.until(() => titles().length === 2);
  const event = { event: 'thread.updated', conversation_id: channel, thread_id: root };
  expect(titles()).toEqual([
    { ...event, title: 'Release 4711' },
    { ...event, title: null },
  ]);
  stream.close();
});
