import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { seedSpace } from '@tieline/spaces/testing';
import { findConversation } from '../conversation.queries.js';
import { BOTS, ChatSpace, startChatApi, UNKNOWN } from '../testing/chat-api.js';
import type { ChatFixture } from '../testing/index.js';
import { membersOf } from '../testing/members-of.js';

let api: TestApi;
let space: SeededSpace;
let chat: ChatFixture;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson;
beforeAll(async () => {
  api = await startChatApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ space, chat } = scene);
  ({ ann, bob } = scene.people);
});

const as = (person: SeededPerson, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  scene.as(person, method, path, body);
const memberIds = async (id: string) =>
  (await membersOf(api.db, space.spaceId, id)).map((member) => member.id);

describe('direct chats', () => {
  test('are shared by both people or bots, and emit no event', async () => {
    const mine = await as(ann, 'POST', '/dm', { user_id: bob.id });
    expect(mine).toMatchObject({ status: 200, body: { ok: true, conversation_id: expect.any(String) } });
    expect((await as(bob, 'POST', '/dm', { user_id: ann.id.toUpperCase() })).body).toEqual(mine.body);
    const withBot = (await as(ann, 'POST', '/dm', { user_id: BOTS[0] })).body.conversation_id;
    expect((await findConversation(api.db, space.spaceId, withBot))?.botIds).toEqual([BOTS[0]]);
    expect((await chat.events()).map((event) => event.type)).toEqual(
      Array(4).fill('conversation.members_changed'),
    );
  });

  test('20 concurrent requests open one direct chat', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        as(n % 2 ? ann : bob, 'POST', '/dm', { user_id: (n % 2 ? bob : ann).id }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.conversation_id)).size).toBe(1);
    expect(await memberIds(answers[0]?.body.conversation_id)).toHaveLength(2);
    expect(await chat.events()).toHaveLength(2);
  });

  test('a chat with oneself has one member', async () => {
    const { body } = await as(ann, 'POST', '/dm', { user_id: ann.id });
    expect(await memberIds(body.conversation_id)).toEqual([ann.id]);
  });

  test.each([
    [UNKNOWN, 400],
    ['x', 400],
    [undefined, 400],
  ])('with %s: %i', async (user_id, status) => {
    expect((await as(ann, 'POST', '/dm', { user_id })).status).toBe(status);
  });

  test('with a person of another space or a deactivated one: 400 user not found', async () => {
    const stranger = await (await seedSpace(api.db)).person('member');
    await api.call('PATCH', `/api/v1/admin/users/${bob.id}`, {
      token: space.owner.token,
      body: { is_active: false },
    });
    for (const other of [stranger, bob])
      expect(await as(ann, 'POST', '/dm', { user_id: other.id })).toMatchObject({
        status: 400,
        body: { ok: false, error: 'user not found' },
      });
  });
});
