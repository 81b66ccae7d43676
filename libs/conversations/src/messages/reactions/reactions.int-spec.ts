import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { ChatSpace, startChatApi, UNKNOWN } from '../../testing/chat-api.js';

let api: TestApi;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson, eve: SeededPerson;
beforeAll(async () => {
  api = await startChatApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ ann, bob, eve } = scene.people);
});

const remove = (person: SeededPerson, id: string) => scene.as(person, 'DELETE', `/messages/${id}`);
const react = (person: SeededPerson, id: string, emoji: string, method = 'PUT') =>
  scene.as(person, method, `/messages/${id}/reactions/${encodeURIComponent(emoji)}`);
const read = async (id: string) => (await scene.history(ann, id)).body.messages;
const last = async () => (await scene.events()).at(-1);

describe('reactions', () => {
  test('emit one event each, and are grouped by emoji in the order of the first', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const message = await scene.send(ann, id, 'x');
    const before = (await scene.events()).length;
    for (const [person, emoji] of [
      [bob, '🎉'],
      [ann, '👍'],
      [ann, '🎉'],
      [ann, '🎉'],
    ] as const) {
      expect(await react(person, message, emoji)).toMatchObject({ status: 200, body: { ok: true } });
    }
    expect((await read(id))[0].reactions).toEqual([
      { emoji: '🎉', user_ids: [bob.id, ann.id] },
      { emoji: '👍', user_ids: [ann.id] },
    ]);
    const events = (await scene.events()).slice(before);
    expect(events.map((event) => [event.event_type, event.actor_id])).toEqual([
      ['REACTION_ADDED', bob.id],
      ['REACTION_ADDED', ann.id],
      ['REACTION_ADDED', ann.id],
    ]);
    expect(JSON.stringify(events[0]?.data)).toBe(
      JSON.stringify({ message_id: message, conversation_id: id, emoji: '🎉', user_id: bob.id }),
    );
  });

  test("are removed once, each person's own", async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const message = await scene.send(ann, id, 'x');
    await react(bob, message, '🎉');
    expect((await react(ann, message, '🎉', 'DELETE')).status).toBe(200);
    expect((await read(id))[0].reactions).toHaveLength(1);
    for (let n = 0; n < 2; n += 1) expect((await react(bob, message, '🎉', 'DELETE')).status).toBe(200);
    expect((await read(id))[0].reactions).toEqual([]);
    expect(
      (await scene.events())
        .filter((event) => event.event_type === 'REACTION_REMOVED')
        .map((event) => event.data),
    ).toEqual([{ message_id: message, conversation_id: id, emoji: '🎉', user_id: bob.id }]);
  });

  test('added concurrently by one person are one', async () => {
    const message = await scene.send(ann, await scene.channel(), 'x');
    await Promise.all(Array.from({ length: 10 }, () => react(ann, message, '👍')));
    expect((await scene.events()).filter((event) => event.event_type === 'REACTION_ADDED')).toHaveLength(1);
  });

  test('50 different emoji are the limit: another one gets 400, an existing one does not', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const message = await scene.send(ann, id, 'x');
    const emojis = Array.from({ length: 50 }, (_, n) => `:e${n}:`);
    await Promise.all(emojis.map((emoji) => react(ann, message, emoji)));
    expect(await react(bob, message, ':another:')).toMatchObject({
      status: 400,
      body: {
        ok: false,
        error: 'a message has at most 50 different reactions',
        code: 'too_many_reactions',
      },
    });
    for (const person of [bob, ann]) expect((await react(person, message, ':e7:')).status).toBe(200);
    await react(ann, message, ':e0:', 'DELETE');
    expect((await react(bob, message, ':another:')).status).toBe(200);
    expect((await react(bob, message, ':e0:')).status).toBe(400);
    expect((await read(id))[0].reactions).toHaveLength(50);
  });

  test('element-web#23752: ❤ with and without U+FE0F is one reaction', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const message = await scene.send(ann, id, 'x');
    await react(ann, message, '❤');
    await react(bob, message, '❤\uFE0F');
    await react(bob, message, '👍\uFE0F');
    expect((await read(id))[0].reactions).toEqual([
      { emoji: '❤\uFE0F', user_ids: [ann.id, bob.id] },
      { emoji: '👍', user_ids: [bob.id] },
    ]);
    await react(ann, message, '❤\uFE0F', 'DELETE');
    await react(bob, message, '❤', 'DELETE');
    await react(bob, message, '👍', 'DELETE');
    expect((await read(id))[0].reactions).toEqual([]);
  });

  test('a reaction stored as it was sent is joined and removed by any spelling', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const message = await scene.send(ann, id, 'x');
    await api.db.query(
      'INSERT INTO reactions (space_id, message_id, emoji, user_id) SELECT space_id, id, $2, $3 FROM messages WHERE id = $1',
      [message, '❤', ann.id],
    );
    await react(bob, message, '❤\uFE0F');
    expect((await read(id))[0].reactions).toEqual([{ emoji: '❤', user_ids: [ann.id, bob.id] }]);
    await react(ann, message, '❤\uFE0F', 'DELETE');
    expect((await read(id))[0].reactions).toEqual([{ emoji: '❤', user_ids: [bob.id] }]);
  });

  test('in a thread name the thread and its root', async () => {
    const id = await scene.channel();
    const root = await scene.send(ann, id, 'root');
    const reply = await scene.send(ann, id, 'reply', root);
    await react(ann, reply, '👍');
    expect(await last()).toMatchObject({
      event_type: 'REACTION_ADDED',
      channel_id: id,
      thread_id: root,
      conversation: { type: 'thread' },
    });
  });

  test('errors: not an emoji 400, non-member and archived 403, unknown 404, deleted 410', async () => {
    const id = await scene.channel();
    const message = await scene.send(ann, id, 'x');
    for (const emoji of [' ', 'a b', 'x'.repeat(65)])
      expect((await react(ann, message, emoji)).status).toBe(400);
    expect((await react(eve, message, '👍')).status).toBe(403);
    for (const unknown of [UNKNOWN, 'x']) expect((await react(ann, unknown, '👍')).status).toBe(404);
    const gone = await scene.send(ann, id, 'gone');
    await remove(ann, gone);
    expect((await react(ann, gone, '👍')).status).toBe(410);
    await scene.as(ann, 'POST', `/conversations/${id}/archive`);
    expect(await react(ann, message, '👍')).toMatchObject({
      status: 403,
      body: { error: 'conversation is archived' },
    });
    expect((await react(eve, message, '👍', 'DELETE')).status).toBe(403);
  });
});
