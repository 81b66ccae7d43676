import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { findConversation } from '../conversation.queries.js';
import { BOTS, ChatSpace, startChatApi, UNKNOWN } from '../testing/chat-api.js';
import { membersOf } from '../testing/members-of.js';

let api: TestApi;
let space: SeededSpace;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson, eve: SeededPerson, guest: SeededPerson;
beforeAll(async () => {
  api = await startChatApi();
});
afterAll(() => api?.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ space } = scene);
  ({ ann, bob, eve, guest } = scene.people);
});

const as = (person: SeededPerson, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  scene.as(person, method, path, body);
const channel = (settings?: Record<string, unknown>) => scene.channel(settings);
const memberIds = async (id: string) =>
  (await membersOf(api.db, space.spaceId, id)).map((member) => member.id);

test('a member adds people and bots; non-members and guests cannot, and unknown ids are refused', async () => {
  const id = await channel({ is_public: false, member_ids: [guest.id] });
  expect(
    (await as(ann, 'POST', `/conversations/${id}/members`, { member_id: BOTS[0]?.toUpperCase() })).status,
  ).toBe(200);
  expect((await as(ann, 'POST', `/conversations/${id}/members`, { member_id: BOTS[0] })).status).toBe(200);
  expect((await as(ann, 'POST', `/conversations/${id}/members`, { member_id: bob.id })).status).toBe(200);
  expect(await membersOf(api.db, space.spaceId, id)).toMatchObject([
    { id: ann.id },
    { id: guest.id, type: 'user' },
    { id: BOTS[0], type: 'bot' },
    { id: bob.id },
  ]);
  expect((await findConversation(api.db, space.spaceId, id))?.botIds).toEqual([BOTS[0]]);
  expect((await as(eve, 'POST', `/conversations/${id}/members`, { member_id: eve.id })).status).toBe(403);
  expect((await as(guest, 'POST', `/conversations/${id}/members`, { member_id: eve.id })).status).toBe(403);
  for (const member_id of [UNKNOWN, 'x', undefined])
    expect((await as(ann, 'POST', `/conversations/${id}/members`, { member_id })).status).toBe(400);
  const direct = (await as(ann, 'POST', '/dm', { user_id: bob.id })).body.conversation_id;
  expect((await as(ann, 'POST', `/conversations/${direct}/members`, { member_id: eve.id })).status).toBe(400);
});

test('only members can add someone to a public channel', async () => {
  expect(
    await as(bob, 'POST', `/conversations/${await channel()}/members`, { member_id: eve.id }),
  ).toMatchObject({ status: 403, body: { error: 'not a member of the conversation' } });
});

test('removal rules for people and bots', async () => {
  const id = await channel({ member_ids: [bob.id, eve.id, BOTS[0], BOTS[1]] });
  const remove = (by: SeededPerson, memberId?: string) =>
    as(by, 'DELETE', `/conversations/${id}/members/${memberId}`);
  expect((await remove(bob, eve.id)).status).toBe(403);
  expect((await remove(bob, BOTS[0])).status).toBe(200);
  expect((await findConversation(api.db, space.spaceId, id))?.botIds).toEqual([BOTS[1]]);
  expect((await remove(ann, eve.id)).status).toBe(200);
  expect((await remove(ann, eve.id)).status).toBe(404);
  expect((await remove(eve, BOTS[1])).status).toBe(403);
  expect((await remove(bob, bob.id)).status).toBe(200);
  expect((await remove(space.owner, BOTS[1])).status).toBe(403);
  await as(space.owner, 'POST', `/conversations/${id}/join`);
  expect((await remove(space.owner, ann.id)).status).toBe(200);
  expect(await memberIds(id)).toEqual([BOTS[1], space.owner.id]);
});

test.each([
  [
    'come in',
    (id: string, people: SeededPerson[]) => people.map((one) => as(one, 'POST', `/conversations/${id}/join`)),
  ],
  [
    'leave',
    (id: string, people: SeededPerson[]) =>
      people.map((one) => as(one, 'POST', `/conversations/${id}/leave`)),
  ],
  [
    'are added',
    (id: string, people: SeededPerson[]) =>
      people.map((one) => as(ann, 'POST', `/conversations/${id}/members`, { member_id: one.id })),
  ],
  [
    'are removed',
    (id: string, people: SeededPerson[]) =>
      people.map((one) => as(ann, 'DELETE', `/conversations/${id}/members/${one.id}`)),
  ],
])(
  'concurrent requests of people who %s hold two connections while they wait for the channel',
  async (what, requests) => {
    const people = await Promise.all(Array.from({ length: 12 }, () => space.person('member')));
    const isThere = what === 'leave' || what === 'are removed';
    const id = await channel({ member_ids: isThere ? people.map((one) => one.id) : [] });
    const { answers, waited } = await api.whileRowLocked('conversations', id, () => requests(id, people));
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await memberIds(id)).toHaveLength(isThere ? 1 : 13);
  },
);
