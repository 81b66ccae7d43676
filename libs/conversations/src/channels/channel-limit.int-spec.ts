import type { TestApi } from '@tieline/spaces/testing';
import { ChatSpace, startChatApi } from '../testing/chat-api.js';

let api: TestApi;
let scene: ChatSpace;
beforeAll(async () => {
  api = await startChatApi({ SPACE_LIMITS: 'channels=5/6/9' });
  scene = await ChatSpace.on(api);
});
afterAll(() => api.close());

test('20 concurrent creations never exceed the limit; archiving a channel or a larger plan allows more', async () => {
  const { ann, bob, eve } = scene.people;
  const create = (person = ann, type = 'channel') =>
    scene.as(person, 'POST', '/conversations', { name: 'plans', type });
  const { answers, waited } = await api.whileLocked('channels', scene.space.spaceId, () =>
    Array.from({ length: 20 }, (_, n) => create(n % 2 ? ann : bob, n % 3 ? 'channel' : 'voice')),
  );
  expect(waited).toBe(2);
  const [created, refused] = [200, 409].map((code) => answers.filter(({ status }) => status === code));
  expect([created?.length, refused?.length]).toEqual([5, 15]);
  expect(refused?.[0]?.body).toEqual({
    ok: false,
    error: 'this space has 5 channels, as many as its plan allows',
    code: 'limit_reached',
  });

  // Direct chats and threads do not count: there is at most one per pair and per message.
  expect((await scene.as(ann, 'POST', '/dm', { user_id: eve.id })).status).toBe(200);
  const { id, created_by } = created?.[0]?.body.conversation as { id: string; created_by: string };
  const creator = created_by === ann.id ? ann : bob;
  await scene.as(creator, 'POST', `/conversations/${id}/archive`);
  expect((await create()).status).toBe(200);
  expect((await create()).status).toBe(409);
  await api.db.query("UPDATE spaces SET plan = 'pro'");
  expect((await create(eve)).status).toBe(200);
  expect((await create(eve)).status).toBe(409);
});

test('each space has its own limit', async () => {
  const other = await ChatSpace.on(api);
  const { status } = await other.as(other.people.ann, 'POST', '/conversations', { name: 'plans' });
  expect(status).toBe(200);
});
