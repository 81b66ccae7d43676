import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { ChatSpace, startChatApi, UNKNOWN } from '../testing/chat-api.js';

let api: TestApi;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson;
beforeAll(async () => {
  api = await startChatApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ ann, bob } = scene.people);
});

const remove = (person: SeededPerson, id: string) => scene.as(person, 'DELETE', `/messages/${id}`);
const read = async (id: string) => (await scene.history(ann, id)).body.messages;
const last = async () => (await scene.events()).at(-1);

describe('deleting', () => {
  test('clears the message and keeps its position', async () => {
    const id = await scene.channel();
    const { messageId } = await scene.chat.post(id, { id: ann.id, type: 'user' }, `x <@${bob.id}>`, {
      metadataJson: '{}',
    });
    await scene.as(ann, 'PUT', `/messages/${messageId}/reactions/${encodeURIComponent('👍')}`);
    await scene.send(ann, id, 'next');
    expect(await remove(ann, messageId)).toMatchObject({ status: 200, body: { ok: true } });
    const [shown, next] = await read(id);
    expect(shown).toEqual({
      id: messageId,
      message_id: messageId,
      conversation_id: id,
      author_id: ann.id,
      author_type: 'user',
      text: '',
      msg_index: 1,
      sent_at: expect.any(String),
      deleted_at: expect.stringMatching(/\.\d{9}Z$/),
      is_system: false,
      attachments: [],
      attachment_status: 'none',
      reactions: [],
      permalink: expect.stringMatching(`/c/${id}/${messageId}$`),
    });
    expect(next.msg_index).toBe(2);
    const event = await last();
    expect(event).toMatchObject({ event_type: 'MESSAGE_DELETED', actor_id: ann.id });
    expect({ ...event?.message, permalink: shown.permalink }).toEqual(shown);
    expect(JSON.stringify(event?.data)).toBe(
      JSON.stringify({
        message_id: messageId,
        conversation_id: id,
        text: '',
        msg_index: 1,
        author_id: ann.id,
        sent_at: shown.sent_at,
        conversation_context: {
          conversation_id: id,
          type: 'channel',
          scope: 'public',
          is_direct: false,
          is_public: true,
        },
      }),
    );
  });

  test('is allowed for the author, and for owners and admins who can read it', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const admin = await scene.space.person('admin');
    const [first, second] = [await scene.send(ann, id, '1'), await scene.send(ann, id, '2')];
    expect((await remove(bob, first)).status).toBe(403);
    expect((await remove(admin, first)).status).toBe(200);
    expect(await last()).toMatchObject({
      actor_id: admin.id,
      actor_type: 'user',
      data: { author_id: ann.id },
    });
    expect((await remove(scene.space.owner, second)).status).toBe(200);
    const hidden = await scene.send(ann, await scene.channel({ is_public: false }), 'x');
    const direct = await scene.send(ann, await scene.direct(ann, bob.id), 'x');
    for (const message of [hidden, direct])
      expect((await remove(scene.space.owner, message)).status).toBe(403);
  });

  test('an author who left may still delete', async () => {
    const id = await scene.channel({ member_ids: [bob.id] });
    const message = await scene.send(bob, id, 'x');
    await scene.as(bob, 'POST', `/conversations/${id}/leave`);
    expect((await remove(bob, message)).status).toBe(200);
  });

  test('an unknown message gets 404, a second deletion 410 and no second event', async () => {
    const message = await scene.send(ann, await scene.channel(), 'x');
    expect((await remove(ann, UNKNOWN)).status).toBe(404);
    await remove(ann, message);
    expect((await remove(ann, message)).status).toBe(410);
    expect((await scene.events()).filter((event) => event.event_type === 'MESSAGE_DELETED')).toHaveLength(1);
  });
});
