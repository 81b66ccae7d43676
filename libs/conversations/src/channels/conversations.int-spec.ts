import { runInWorkerTx } from '@tieline/platform/database';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { seedSpace } from '@tieline/spaces/testing';
import { eventually, readRows } from '@tieline/testing';
import { archiveConversation } from './archive-conversation.js';
import { addMember } from '../members/add-member.js';
import { BOTS, ChatSpace, startChatApi, UNKNOWN } from '../testing/chat-api.js';
import { ChatFixture } from '../testing/index.js';
import { membersOf } from '../testing/members-of.js';

let api: TestApi;
let space: SeededSpace;
let chat: ChatFixture;
let scene: ChatSpace;
let ann: SeededPerson, bob: SeededPerson, eve: SeededPerson, guest: SeededPerson;
beforeAll(async () => {
  api = await startChatApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
  ({ space, chat } = scene);
  ({ ann, bob, eve, guest } = scene.people);
});

const as = (person: SeededPerson, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  scene.as(person, method, path, body);
const channel = (settings?: Record<string, unknown>) => scene.channel(settings);
const memberIds = async (id: string) =>
  (await membersOf(api.db, space.spaceId, id)).map((member) => member.id);

/** Payload of `conversation.members_changed`, with the public event inside. */
const change = (
  conversation_id: string,
  member_id: string,
  member_type: string,
  event_type: string,
  actor_id = ann.id,
): unknown => {
  const data = { conversation_id, member_id, member_type };
  const event = expect.objectContaining({ event_type, actor_id, actor_type: 'user', data }) as unknown;
  return { ...data, joined: event_type === 'MEMBER_JOINED', event };
};

describe('creating a conversation', () => {
  test('returns it, with the caller as a member', async () => {
    const { status, body } = await as(ann, 'POST', '/conversations', { name: '  Änderungen 😀 ' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      conversation: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        space_id: space.spaceId,
        type: 'channel',
        scope: 'public',
        name: 'Änderungen 😀',
        topic: '',
        purpose: '',
        is_direct: false,
        is_public: true,
        created_by: ann.id,
        created_at: expect.stringMatching(/\.\d{9}Z$/),
        archived_at: null,
        is_member: true,
        muted: false,
      },
    });
    expect(await memberIds(body.conversation.id)).toEqual([ann.id]);
    expect((await as(ann, 'GET', `/conversations/${body.conversation.id}`)).body).toEqual(body);
  });

  test('appends CONVERSATION_CREATED, then the events of its members', async () => {
    const id = await channel({
      type: 'voice',
      is_public: false,
      member_ids: [bob.id.toUpperCase(), BOTS[0], ann.id, bob.id],
    });
    const [created, ...joined] = await chat.events();
    const data = { conversation_id: id, name: 'releases', type: 'voice', created_by: ann.id };
    expect(created).toMatchObject({
      type: 'CONVERSATION_CREATED',
      payload: {
        event_type: 'CONVERSATION_CREATED',
        actor_id: ann.id,
        actor_type: 'user',
        conversation: { id, type: 'voice', scope: 'private' },
        channel_id: id,
        thread_id: '',
        data,
        bot_ids: [BOTS[0]],
      },
    });
    expect(JSON.stringify((created?.payload as { data: unknown }).data)).toBe(JSON.stringify(data));
    expect(created?.payload).not.toHaveProperty('message');
    expect(joined.map((event) => event.payload)).toEqual([
      change(id, ann.id, 'user', 'MEMBER_JOINED'),
      change(id, bob.id, 'user', 'MEMBER_JOINED'),
      change(id, BOTS[0] as string, 'bot', 'MEMBER_JOINED'),
    ]);
    expect(joined.every((event) => event.type === 'conversation.members_changed')).toBe(true);
  });

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: '   ' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 7 }],
    [{ name: 'a', type: 'thread' }],
    [{ name: 'a', is_public: 'yes' }],
    [{ name: 'a', member_ids: 'x' }],
    [{ name: 'a', member_ids: ['x'] }],
    [{ name: 'a', member_ids: [UNKNOWN] }],
  ])('%j gets 400 and creates nothing', async (body) => {
    expect(await as(ann, 'POST', '/conversations', body)).toMatchObject({
      status: 400,
      body: { ok: false, error: expect.any(String) },
    });
    expect(await chat.events()).toEqual([]);
  });

  test('a person of another space or a deactivated person cannot be a member', async () => {
    const stranger = await (await seedSpace(api.db)).person('member');
    expect((await as(ann, 'POST', '/conversations', { name: 'a', member_ids: [stranger.id] })).status).toBe(
      400,
    );
    await api.call('PATCH', `/api/v1/admin/users/${bob.id}`, {
      token: space.owner.token,
      body: { is_active: false },
    });
    expect(await as(ann, 'POST', '/conversations', { name: 'a', member_ids: [bob.id] })).toMatchObject({
      status: 400,
      body: { error: 'user not found', field: 'member_ids' },
    });
  });

  test('a guest cannot create one', async () => {
    expect((await as(guest, 'POST', '/conversations', { name: 'a' })).status).toBe(403);
  });
});

describe('reading a conversation', () => {
  test('everyone sees a public one, except guests who are not members', async () => {
    const id = await channel();
    expect(await as(bob, 'GET', `/conversations/${id}`)).toMatchObject({
      status: 200,
      body: { conversation: { is_member: false } },
    });
    expect((await as(guest, 'GET', `/conversations/${id}`)).status).toBe(403);
    await as(ann, 'POST', `/conversations/${id}/members`, { member_id: guest.id });
    expect(await as(guest, 'GET', `/conversations/${id}`)).toMatchObject({
      status: 200,
      body: { conversation: { is_member: true } },
    });
  });

  test('only members see a private one, whatever their role', async () => {
    const id = await channel({ is_public: false, member_ids: [bob.id] });
    expect((await as(bob, 'GET', `/conversations/${id}`)).status).toBe(200);
    for (const person of [eve, guest, space.owner])
      expect((await as(person, 'GET', `/conversations/${id}`)).status).toBe(403);
  });

  test('an unknown or malformed id, or one of another space, gets 404', async () => {
    const other = await seedSpace(api.db);
    const foreign = await new ChatFixture(api.db, other.spaceId).conversation();
    for (const id of [UNKNOWN, foreign, 'x'])
      expect((await as(ann, 'GET', `/conversations/${id}`)).status).toBe(404);
  });

  test('a thread names its channel and root message', async () => {
    const id = await channel();
    const root = (await as(ann, 'POST', `/conversations/${id}/messages`, { text: 'root' })).body.message_id;
    await as(ann, 'POST', `/conversations/${id}/messages`, { text: 'reply', parent_message_id: root });
    const [thread] = await readRows<{ id: string }>(
      api.db,
      'SELECT id FROM conversations WHERE root_message_id = $1',
      [root],
    );
    expect(await as(bob, 'GET', `/conversations/${thread?.id}`)).toMatchObject({
      status: 200,
      body: {
        conversation: {
          type: 'thread',
          scope: 'public',
          is_public: true,
          parent_conversation_id: id,
          root_message_id: root,
          is_member: false,
        },
      },
    });
  });
});

describe('listing conversations', () => {
  test("contains the caller's own and public ones, but no private ones of others and no threads", async () => {
    const open = await channel();
    const own = await channel({ is_public: false, member_ids: [bob.id] });
    await channel({ is_public: false });
    const { body: direct } = await as(bob, 'POST', '/dm', { user_id: eve.id });
    await as(ann, 'POST', '/dm', { user_id: eve.id });
    const root = (await as(ann, 'POST', `/conversations/${open}/messages`, { text: 'root' })).body.message_id;
    await as(ann, 'POST', `/conversations/${open}/messages`, { text: 'reply', parent_message_id: root });
    const { body } = await as(bob, 'GET', '/conversations');
    expect(
      body.conversations.map(({ id, is_member }: { id: string; is_member: boolean }) => [id, is_member]),
    ).toEqual([
      [open, false],
      [own, true],
      [direct.conversation_id, true],
    ]);
    expect(body.conversations[2]).toMatchObject({
      type: 'chat',
      scope: 'dm',
      is_direct: true,
      member_ids: [bob.id, eve.id].sort(),
    });
    expect(body.next_cursor).toBe('');
    expect((await as(guest, 'GET', '/conversations')).body.conversations).toEqual([]);
  });

  test('is paginated on request', async () => {
    const ids = [await channel(), await channel({ is_public: false }), await channel()];
    const first = await as(ann, 'GET', '/conversations?limit=2');
    expect(first.body.conversations.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const second = await as(ann, 'GET', `/conversations?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.conversations.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(second.body.next_cursor).toBe('');
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=x'])
      expect((await as(ann, 'GET', `/conversations?${query}`)).status).toBe(400);
  });
});

describe('joining and leaving', () => {
  test('joining a public channel again succeeds and emits one event', async () => {
    const id = await channel({ type: 'voice' });
    const before = (await chat.events()).length;
    for (let n = 0; n < 2; n += 1)
      expect(await as(bob, 'POST', `/conversations/${id}/join`)).toMatchObject({
        status: 200,
        body: { ok: true },
      });
    expect(await memberIds(id)).toEqual([ann.id, bob.id]);
    expect((await chat.events()).slice(before).map((event) => event.payload)).toEqual([
      change(id, bob.id, 'user', 'MEMBER_JOINED', bob.id),
    ]);
  });

  test('joining a private or archived channel, a thread, a direct chat or an unknown id is refused', async () => {
    const hidden = await channel({ is_public: false });
    expect((await as(bob, 'POST', `/conversations/${hidden}/join`)).status).toBe(403);
    const closed = await channel();
    await as(ann, 'POST', `/conversations/${closed}/archive`);
    expect(await as(bob, 'POST', `/conversations/${closed}/join`)).toMatchObject({
      status: 403,
      body: { error: 'conversation is archived' },
    });
    expect((await as(ann, 'POST', `/conversations/${closed}/join`)).status).toBe(200);
    const direct = (await as(ann, 'POST', '/dm', { user_id: bob.id })).body.conversation_id;
    expect((await as(bob, 'POST', `/conversations/${direct}/join`)).status).toBe(400);
    expect((await as(bob, 'POST', `/conversations/${UNKNOWN}/join`)).status).toBe(404);
  });

  test('a guest cannot join', async () => {
    expect((await as(guest, 'POST', `/conversations/${await channel()}/join`)).status).toBe(403);
  });

  test('leaving again succeeds, emits one event, and ends posting', async () => {
    const id = await channel({ member_ids: [bob.id] });
    const before = (await chat.events()).length;
    for (let n = 0; n < 2; n += 1)
      expect((await as(bob, 'POST', `/conversations/${id}/leave`)).status).toBe(200);
    expect((await chat.events()).slice(before).map((event) => event.payload)).toEqual([
      change(id, bob.id, 'user', 'MEMBER_LEFT', bob.id),
    ]);
    expect((await as(bob, 'POST', `/conversations/${id}/messages`, { text: 'x' })).status).toBe(403);
  });

  test('a direct chat cannot be left', async () => {
    const direct = (await as(ann, 'POST', '/dm', { user_id: bob.id })).body.conversation_id;
    expect((await as(bob, 'POST', `/conversations/${direct}/leave`)).status).toBe(400);
  });
});

describe('archiving', () => {
  test('its creator archives a channel, with one event', async () => {
    const id = await channel();
    for (let n = 0; n < 2; n += 1)
      expect((await as(ann, 'POST', `/conversations/${id}/archive`)).status).toBe(200);
    const archived = (await chat.events()).filter((event) => event.type === 'CONVERSATION_ARCHIVED');
    expect(archived.map((event) => event.payload)).toMatchObject([
      {
        actor_id: ann.id,
        data: { conversation_id: id, name: 'releases', type: 'channel', created_by: ann.id },
      },
    ]);
    expect((await as(bob, 'GET', `/conversations/${id}`)).body.conversation.archived_at).toMatch(/Z$/);
    expect(await as(ann, 'POST', `/conversations/${id}/messages`, { text: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'conversation is archived' },
    });
    expect((await as(ann, 'POST', `/conversations/${id}/members`, { member_id: bob.id })).status).toBe(403);
  });

  test('concurrent requests hold two connections while they wait for the channel', async () => {
    const id = await channel();
    const { answers, waited } = await api.whileRowLocked('conversations', id, () =>
      Array.from({ length: 12 }, () => as(ann, 'POST', `/conversations/${id}/archive`)),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  test('an owner may archive it, other members may not', async () => {
    const id = await channel({ member_ids: [bob.id] });
    expect((await as(bob, 'POST', `/conversations/${id}/archive`)).status).toBe(403);
    expect((await as(space.owner, 'POST', `/conversations/${id}/archive`)).status).toBe(200);
    const hidden = await channel({ is_public: false });
    expect((await as(space.owner, 'POST', `/conversations/${hidden}/archive`)).status).toBe(403);
  });

  test('a request that waited for the lock finds the channel archived: one event, and no one can join any more', async () => {
    const id = await channel();
    const closing = {
      spaceId: space.spaceId,
      conversationId: id,
      actor: { id: ann.id, type: 'user' } as const,
    };
    const joining = {
      spaceId: space.spaceId,
      conversationId: id,
      member: { id: bob.id, type: 'user' } as const,
    };
    let waiting: Promise<unknown[]> = Promise.resolve([]);
    await runInWorkerTx(api.db, async (tx) => {
      await archiveConversation(tx, closing);
      waiting = Promise.all([
        runInWorkerTx(api.db, (other) => archiveConversation(other, closing)),
        runInWorkerTx(api.db, (other) => addMember(other, joining)),
      ]);
      const held = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually(async () => (await api.db.query(held)).length === 2);
    });
    expect(await waiting).toEqual([{ changed: false }, { refused: 'archived' }]);
    expect((await chat.events()).filter(({ type }) => type === 'CONVERSATION_ARCHIVED')).toHaveLength(1);
  });

  test('direct chats and unknown ids cannot be archived', async () => {
    const direct = (await as(ann, 'POST', '/dm', { user_id: bob.id })).body.conversation_id;
    expect((await as(ann, 'POST', `/conversations/${direct}/archive`)).status).toBe(400);
    expect((await as(ann, 'POST', `/conversations/${UNKNOWN}/archive`)).status).toBe(404);
    expect((await scene.events()).map((event) => event.event_type)).not.toContain('CONVERSATION_ARCHIVED');
  });
});

describe('muting', () => {
  test('applies to one member only', async () => {
    const id = await channel({ member_ids: [bob.id] });
    expect(await as(bob, 'PUT', `/conversations/${id}/mute`, { muted: true })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expect((await as(bob, 'GET', `/conversations/${id}`)).body.conversation.muted).toBe(true);
    expect((await as(ann, 'GET', `/conversations/${id}`)).body.conversation.muted).toBe(false);
    await as(bob, 'PUT', `/conversations/${id}/mute`, { muted: false });
    expect((await as(bob, 'GET', '/conversations')).body.conversations[0].muted).toBe(false);
  });

  test('requires membership and a boolean; direct chats can be muted', async () => {
    const id = await channel();
    expect((await as(bob, 'PUT', `/conversations/${id}/mute`, { muted: true })).status).toBe(403);
    expect((await as(ann, 'PUT', `/conversations/${id}/mute`, { muted: 'true' })).status).toBe(400);
    expect((await as(ann, 'PUT', `/conversations/${UNKNOWN}/mute`, { muted: true })).status).toBe(404);
    const direct = (await as(ann, 'POST', '/dm', { user_id: bob.id })).body.conversation_id;
    expect((await as(bob, 'PUT', `/conversations/${direct}/mute`, { muted: true })).status).toBe(200);
  });
});
