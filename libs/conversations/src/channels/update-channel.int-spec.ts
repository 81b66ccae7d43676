import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { ChatSpace, startChatApi, UNKNOWN } from '../testing/chat-api.js';

let api: TestApi;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson, eve: SeededPerson, guest: SeededPerson;
beforeAll(async () => {
  api = await startChatApi({ SPACE_LIMITS: 'channels=2/2/2' });
});
afterAll(() => api.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ ann, bob, eve, guest } = scene.people);
});

const patch = (person: SeededPerson, id: string, body: object): Promise<TestAnswer> =>
  scene.as(person, 'PATCH', `/conversations/${id}`, body);
const post = (person: SeededPerson, path: string): Promise<TestAnswer> =>
  scene.as(person, 'POST', `/conversations/${path}`);
const read = async (id: string) => (await scene.as(ann, 'GET', `/conversations/${id}`)).body.conversation;
const updates = async () =>
  (await scene.events())
    .filter(({ event_type: type }) => type === 'CONVERSATION_UPDATED')
    .map(({ data, actor_id: actor }) => ({ actor, data }));

test('a new channel has the topic and purpose of the request, by default none', async () => {
  expect(await read(await scene.channel())).toMatchObject({ topic: '', purpose: '' });
  const id = await scene.channel({ topic: ' Release 4711 ', purpose: 'Plans' });
  expect(await read(id)).toMatchObject({ topic: 'Release 4711', purpose: 'Plans' });
});

test('a change is returned, stored and emitted once, with what changed', async () => {
  const id = await scene.channel();
  const { status, body } = await patch(ann, id, { name: 'plans', topic: 'Release 4711', purpose: null });
  expect([status, body]).toMatchObject([
    200,
    { conversation: { id, name: 'plans', topic: 'Release 4711', purpose: '', is_member: true } },
  ]);
  expect(await read(id)).toEqual(body.conversation);
  expect((await patch(ann, id, { name: 'plans', topic: 'Release 4711' })).status).toBe(200);
  await patch(ann, id, { topic: '' });
  const of = { conversation_id: id, name: 'plans', type: 'channel', created_by: ann.id, purpose: '' };
  expect(await updates()).toEqual([
    { actor: ann.id, data: { ...of, topic: 'Release 4711', changes: ['name', 'topic'] } },
    { actor: ann.id, data: { ...of, topic: '', changes: ['topic'] } },
  ]);
});

test('members set topic and purpose; only the creator, owners and admins rename', async () => {
  const id = await scene.channel({ member_ids: [bob.id, guest.id] });
  expect((await patch(bob, id, { topic: 'a', purpose: 'b' })).status).toBe(200);
  for (const [person, body] of [
    [bob, { name: 'mine' }],
    [guest, { topic: 'mine' }],
    [eve, { topic: 'mine' }],
  ] as const)
    expect(await patch(person, id, body)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  expect((await patch(scene.space.owner, id, { name: 'theirs' })).status).toBe(200);
  expect(await read(id)).toMatchObject({ name: 'theirs', topic: 'a', purpose: 'b' });
});

test.each([
  { topic: 'x'.repeat(251) },
  { purpose: 'x'.repeat(251) },
  { topic: 7 },
  { name: '' },
  { name: 'x'.repeat(101) },
])('%j gets 400', async (body) => {
  const id = await scene.channel();
  expect(await patch(ann, id, body)).toMatchObject({ status: 400, body: { field: Object.keys(body)[0] } });
});

test('250 characters of any kind fit', async () => {
  expect((await patch(ann, await scene.channel(), { topic: '😀'.repeat(250) })).status).toBe(200);
});

test('direct chats, unknown and archived channels stay as they are', async () => {
  const direct = await scene.direct(ann, bob.id);
  expect((await patch(ann, direct, { topic: 'a' })).status).toBe(400);
  expect((await patch(ann, UNKNOWN, { topic: 'a' })).status).toBe(404);
  const id = await scene.channel();
  await post(ann, `${id}/archive`);
  expect(await patch(ann, id, { topic: 'a' })).toMatchObject({
    status: 403,
    body: { code: 'conversation_archived' },
  });
});

test('concurrent changes of different texts are all kept', async () => {
  const id = await scene.channel();
  await Promise.all([patch(ann, id, { topic: 'a' }), patch(ann, id, { purpose: 'b' })]);
  expect(await read(id)).toMatchObject({ topic: 'a', purpose: 'b' });
});

describe('unarchiving', () => {
  test('opens the channel again, with one event', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    await post(ann, `${id}/archive`);
    expect((await post(bob, `${id}/unarchive`)).status).toBe(403);
    for (let n = 0; n < 2; n += 1) expect((await post(ann, `${id}/unarchive`)).status).toBe(200);
    expect(await read(id)).toMatchObject({ archived_at: null });
    expect(await updates()).toMatchObject([{ actor: ann.id, data: { changes: ['unarchived'] } }]);
    expect((await scene.as(bob, 'POST', `/conversations/${id}/messages`, { text: 'x' })).status).toBe(200);
  });

  test('gets 409 if the space has as many channels as its plan allows', async () => {
    const id = await scene.channel();
    await post(ann, `${id}/archive`);
    await scene.channel();
    const other = await scene.channel();
    expect(await post(ann, `${id}/unarchive`)).toMatchObject({
      status: 409,
      body: { code: 'limit_reached' },
    });
    // One that is open needs no place.
    expect((await post(ann, `${other}/unarchive`)).status).toBe(200);
    await post(ann, `${other}/archive`);
    expect((await post(ann, `${id}/unarchive`)).status).toBe(200);
  });

  test('direct chats get 400, unknown ids 404', async () => {
    expect((await post(ann, `${await scene.direct(ann, bob.id)}/unarchive`)).status).toBe(400);
    expect((await post(ann, `${UNKNOWN}/unarchive`)).status).toBe(404);
  });
});
