import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { ChatSpace, startChatApi, UNKNOWN } from '../../testing/chat-api.js';

const PUBLIC_URL = 'https://tieline.example';

let api: TestApi;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson, eve: SeededPerson;
beforeAll(async () => {
  // One person pins more messages concurrently than a caller may by default.
  api = await startChatApi({
    PUBLIC_URL,
    RATE_USER_WRITES_PER_SECOND: '10000',
    REQUESTS_PER_CALLER: '200',
  });
});
afterAll(() => api?.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ ann, bob, eve } = scene.people);
});

const pin = (person: SeededPerson, id: string, method = 'PUT') =>
  scene.as(person, method, `/messages/${id}/pin`);
const unpin = (person: SeededPerson, id: string) => pin(person, id, 'DELETE');
const pins = (person: SeededPerson, conversationId: string) =>
  scene.as(person, 'GET', `/conversations/${conversationId}/pins`);
const pinned = async (conversationId: string): Promise<string[]> =>
  (await pins(ann, conversationId)).body.pins.map(({ id }: { id: string }) => id);
const updates = async () =>
  (await scene.events()).filter(({ event_type }) => event_type === 'MESSAGE_UPDATED');
const read = async (conversationId: string) => (await scene.history(ann, conversationId)).body.messages;

test('a pin appears in the message, in the list and as one MESSAGE_UPDATED', async () => {
  const id = await scene.channel({ member_ids: [bob.id] });
  const message = await scene.send(ann, id, 'x');
  for (let n = 0; n < 2; n += 1)
    expect(await pin(bob, message)).toMatchObject({ status: 200, body: { ok: true } });
  const [shown] = await read(id);
  expect(shown).toMatchObject({ pinned_by: bob.id, pinned_at: expect.stringMatching(/\.\d{9}Z$/) });
  expect(shown).not.toHaveProperty('edited_at');
  expect((await pins(ann, id)).body.pins).toEqual([shown]);
  const { pinned_at, pinned_by } = shown;
  expect(await updates()).toMatchObject([
    {
      actor_id: bob.id,
      occurred_at: pinned_at,
      data: { pinned_at, pinned_by, changes: ['pin'] },
      message: { pinned_at, pinned_by },
    },
  ]);
  expect(shown.pinned_at > shown.sent_at).toBe(true);
});

test('another member unpins it, with one event', async () => {
  const id = await scene.channel({ member_ids: [bob.id] });
  const message = await scene.send(ann, id, 'x');
  await pin(ann, message);
  for (let n = 0; n < 2; n += 1) expect((await unpin(bob, message)).status).toBe(200);
  expect(await pinned(id)).toEqual([]);
  expect((await read(id))[0]).not.toHaveProperty('pinned_at');
  const told = await updates();
  expect(told).toHaveLength(2);
  expect(told[1]?.data).not.toHaveProperty('pinned_at');
  expect(told[1]?.data).toMatchObject({ changes: ['pin'] });
});

test("pinning again keeps the first person's pin", async () => {
  const id = await scene.channel({ member_ids: [bob.id] });
  const message = await scene.send(ann, id, 'x');
  await pin(ann, message);
  await pin(bob, message);
  expect((await read(id))[0].pinned_by).toBe(ann.id);
});

test('the latest pin comes first; a thread has its own pins', async () => {
  const id = await scene.channel();
  const [first, second] = [await scene.send(ann, id, '1'), await scene.send(ann, id, '2')];
  const reply = await scene.send(ann, id, 'reply', first);
  for (const message of [second, first, reply]) await pin(ann, message);
  expect(await pinned(id)).toEqual([first, second]);
  const { body } = await scene.history(ann, id, `?thread_id=${first}`);
  expect(await pinned(body.messages[0].conversation_id)).toEqual([reply]);
});

test('an edit keeps the pin; a deletion removes it and frees its place', async () => {
  const id = await scene.channel();
  const message = await scene.send(ann, id, 'x');
  await pin(ann, message);
  await scene.as(ann, 'PATCH', `/messages/${message}`, { text: 'y' });
  expect((await updates()).at(-1)?.data).toMatchObject({ pinned_by: ann.id, edited_at: expect.any(String) });
  expect((await read(id))[0]).toMatchObject({ text: 'y', pinned_by: ann.id });
  await scene.as(ann, 'DELETE', `/messages/${message}`);
  expect(await pinned(id)).toEqual([]);
  expect((await read(id))[0]).not.toHaveProperty('pinned_by');
  expect(await api.db.query('SELECT 1 FROM pins WHERE message_id = $1', [message])).toEqual([]);
});

test('of 101 concurrent pins 100 succeed, and one gets 409 limit_reached', async () => {
  const id = await scene.channel();
  const messages = await Promise.all(Array.from({ length: 101 }, (_, n) => scene.send(ann, id, `${n}`)));
  const answers = await Promise.all(messages.map((message) => pin(ann, message)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toMatchObject([{ status: 409, body: { code: 'limit_reached' } }]);
  const list = await pinned(id);
  expect(list).toHaveLength(100);
  // Pinning a pinned message again needs no free place.
  expect((await pin(ann, list[0] as string)).status).toBe(200);
  await unpin(ann, list[0] as string);
  const left = messages.find((message) => !list.includes(message)) as string;
  expect((await pin(ann, left)).status).toBe(200);
});

test('concurrent pins by several people create one pin', async () => {
  const message = await scene.send(ann, await scene.channel(), 'x');
  await Promise.all(Array.from({ length: 10 }, () => pin(ann, message)));
  expect(await updates()).toHaveLength(1);
});

test('updated_since includes pins', async () => {
  const id = await scene.channel();
  const message = await scene.send(ann, id, 'x');
  const { sent_at: since } = (await read(id))[0];
  const changed = async () =>
    (await scene.history(ann, id, `?updated_since=${encodeURIComponent(since)}`)).body.messages;
  expect(await changed()).toEqual([]);
  await pin(ann, message);
  expect(await changed()).toMatchObject([{ id: message, pinned_by: ann.id }]);
});

describe('permissions', () => {
  test('only members pin; everyone who reads the conversation reads its pins', async () => {
    const id = await scene.channel();
    const message = await scene.send(ann, id, 'x');
    for (const answer of [await pin(eve, message), await unpin(eve, message)])
      expect(answer).toMatchObject({ status: 403, body: { code: 'not_a_member' } });
    await pin(ann, message);
    expect((await pins(eve, id)).body.pins).toHaveLength(1);
    const secret = await scene.channel({ is_public: false });
    expect((await pins(eve, secret)).status).toBe(403);
    expect((await pins(eve, UNKNOWN)).status).toBe(404);
  });

  test('no one pins in archived conversations, or deleted or unknown messages', async () => {
    const id = await scene.channel();
    const [gone, kept] = [await scene.send(ann, id, 'x'), await scene.send(ann, id, 'y')];
    await scene.as(ann, 'DELETE', `/messages/${gone}`);
    expect(await pin(ann, gone)).toMatchObject({ status: 410, body: { code: 'message_deleted' } });
    expect((await pin(ann, UNKNOWN)).status).toBe(404);
    await pin(ann, kept);
    await scene.as(ann, 'POST', `/conversations/${id}/archive`);
    expect(await unpin(ann, kept)).toMatchObject({ status: 403, body: { code: 'conversation_archived' } });
    expect(await pinned(id)).toEqual([kept]);
  });
});

test('a message has a permalink; that of a reply names the thread', async () => {
  const id = await scene.channel();
  const message = await scene.send(ann, id, 'x');
  await scene.send(ann, id, 'reply', message);
  expect((await read(id))[0].permalink).toBe(`${PUBLIC_URL}/c/${id}/${message}`);
  const [reply] = (await scene.history(ann, id, `?thread_id=${message}`)).body.messages;
  expect(reply.permalink).toBe(`${PUBLIC_URL}/c/${reply.conversation_id}/${reply.id}`);
});
