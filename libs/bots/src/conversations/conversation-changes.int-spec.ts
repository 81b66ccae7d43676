import { uuidv7 } from 'uuidv7';
import type { Member } from '@tieline/conversations/testing';
import { readRows } from '@tieline/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import type { SeededBot } from '../testing/index.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot, other: SeededBot;
let self: Member, ann: Member;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000', SPACE_LIMITS: 'channels=3/3/3' });
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  [bot, other] = [await fixture.bot(), await fixture.bot()];
  self = { id: bot.id, type: 'bot' };
  ann = { id: (await fixture.space.person('member', 'Ann')).id, type: 'user' };
});
afterAll(() => api?.close());

const call = (method: string, path: string, body?: unknown, token = bot.token): Promise<TestAnswer> =>
  api.call(method, `/api/v1/bot/conversations${path}`, { token, body });
const post = (path: string, body?: unknown, token = bot.token) => call('POST', path, body, token);
const create = async (settings: object = {}): Promise<string> => {
  const { status, body } = await post('', { name: 'incident', ...settings });
  expect(status).toBe(200);
  return body.conversation.id;
};
const remove = (id: string, memberId: string) => call('DELETE', `/${id}/members/${memberId}`);
const membersOf = async (id: string): Promise<string[]> =>
  (
    await readRows<{ id: string }>(
      api.db,
      'SELECT member_id AS id FROM conversation_members WHERE conversation_id = $1 ORDER BY joined_at, 1',
      [id],
    )
  ).map(({ id: member }) => member);
const events = async (type: string) =>
  (await fixture.chat.events())
    .map(({ payload }) => payload as Record<string, unknown>)
    .filter((one) => one.event_type === type);
const audited = async () =>
  (await fixture.admin('GET', '/audit_log')).body.entries
    .filter(({ action }: { action: string }) => action.startsWith('conversation.'))
    .map(({ action, actor_id, actor_type, changes }: Record<string, unknown>) => ({
      action,
      actor_id,
      actor_type,
      changes,
    }));

describe('creating', () => {
  test('makes the bot the creator and first member, and emits the event as the bot', async () => {
    const { status, body } = await post('', { name: 'incident', topic: 'Outage', member_ids: [ann.id] });
    expect([status, body]).toMatchObject([
      200,
      { conversation: { name: 'incident', topic: 'Outage', created_by: bot.id, is_member: true } },
    ]);
    const { id } = body.conversation;
    expect((await membersOf(id)).sort()).toEqual([bot.id, ann.id].sort());
    expect(await events('CONVERSATION_CREATED')).toMatchObject([
      { actor_id: bot.id, actor_type: 'bot', data: { conversation_id: id, created_by: bot.id } },
    ]);
    expect((await call('GET', `/${id}`)).body).toEqual(body);
  });

  test('writes to the audit log whom it gave access to a private one', async () => {
    await create({ is_public: false, member_ids: [ann.id] });
    expect(await audited()).toEqual([
      {
        action: 'conversation.member_added',
        actor_id: bot.id,
        actor_type: 'bot',
        changes: { member_id: { from: null, to: ann.id } },
      },
    ]);
  });

  test('counts toward the limit of the plan, as unarchiving does', async () => {
    const [first] = [await create(), await create(), await create()];
    expect(await post('', { name: 'more' })).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
    expect((await post(`/${first}/archive`)).status).toBe(200);
    await create();
    expect(await post(`/${first}/unarchive`)).toMatchObject({ status: 409 });
  });

  test.each([{}, { name: '' }, { name: 'a', topic: 'x'.repeat(251) }, { name: 'a', member_ids: [uuidv7()] }])(
    '%j gets 400',
    async (body) => {
      expect((await post('', body)).status).toBe(400);
    },
  );
});

describe('changing', () => {
  test('its own channel: name, topic and purpose, archived and opened again', async () => {
    const id = await create();
    const change = { name: 'incident-7', topic: 'Resolved', purpose: 'Outage of July' };
    expect(await call('PATCH', `/${id}`, change)).toMatchObject({
      status: 200,
      body: { conversation: change },
    });
    for (const verb of ['archive', 'archive']) expect((await post(`/${id}/${verb}`)).status).toBe(200);
    expect((await call('PATCH', `/${id}`, { topic: 'a' })).body.code).toBe('conversation_archived');
    for (const verb of ['unarchive', 'unarchive']) expect((await post(`/${id}/${verb}`)).status).toBe(200);
    expect((await call('GET', `/${id}`)).body.conversation).toMatchObject({ ...change, archived_at: null });
    expect(await events('CONVERSATION_ARCHIVED')).toMatchObject([{ actor_id: bot.id, actor_type: 'bot' }]);
    expect(await events('CONVERSATION_UPDATED')).toMatchObject([
      { actor_id: bot.id, data: { changes: ['name', 'topic', 'purpose'] } },
      { actor_id: bot.id, data: { changes: ['unarchived'] } },
    ]);
  });

  test('a channel of others: topic and purpose as a member, nothing else', async () => {
    const id = await fixture.chat.conversation({ members: [ann, self] });
    expect((await call('PATCH', `/${id}`, { topic: 'a', purpose: 'b' })).status).toBe(200);
    expect(await call('PATCH', `/${id}`, { name: 'a' })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
    for (const verb of ['archive', 'unarchive'])
      expect(await post(`/${id}/${verb}`)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });

  test('gets 403 in a channel it is not a member of, 404 for unknown ones, 400 for direct chats', async () => {
    const open = await fixture.chat.conversation({ members: [ann] });
    const closed = await fixture.chat.conversation({ scope: 'private', members: [ann] });
    const dm = await fixture.chat.direct(self, ann);
    for (const [id, status] of [
      [open, 403],
      [closed, 403],
      [uuidv7(), 404],
      [dm, 400],
    ] as const) {
      for (const body of [{ topic: 'a' }, {}])
        expect((await call('PATCH', `/${id}`, body)).status).toBe(status);
      expect((await post(`/${id}/members`, { member_id: other.id })).status).toBe(status);
      expect((await remove(id, ann.id)).status).toBe(status);
      expect((await post(`/${id}/archive`)).status).toBe(status);
    }
  });

  test('gets 403 outside of channel_ids', async () => {
    const [id, elsewhere] = [await create(), await create()];
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [elsewhere] });
    expect((await call('PATCH', `/${id}`, { topic: 'a' })).status).toBe(403);
  });
});

describe('members', () => {
  test('the bot adds people and bots where it is a member, again without effect', async () => {
    const id = await fixture.chat.conversation({ scope: 'private', members: [self] });
    for (const member of [ann.id, other.id, ann.id.toUpperCase()])
      expect((await post(`/${id}/members`, { member_id: member })).status).toBe(200);
    expect((await membersOf(id)).sort()).toEqual([bot.id, ann.id, other.id].sort());
    expect((await audited()).map(({ actor_id: actor }: { actor_id: string }) => actor)).toEqual([
      bot.id,
      bot.id,
    ]);
    expect(await post(`/${id}/members`, { member_id: uuidv7() })).toMatchObject({
      status: 400,
      body: { field: 'member_id' },
    });
  });

  test('removes bots anywhere, people only from its own channels', async () => {
    const theirs = await fixture.chat.conversation({ members: [ann, self, { id: other.id, type: 'bot' }] });
    expect((await remove(theirs, other.id)).status).toBe(200);
    expect(await remove(theirs, ann.id)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    const own = await create({ member_ids: [ann.id] });
    expect((await remove(own, ann.id)).status).toBe(200);
    expect(await remove(own, ann.id)).toMatchObject({ status: 404, body: { code: 'member_not_found' } });
    expect([await membersOf(theirs), await membersOf(own)]).toEqual([
      expect.arrayContaining([ann.id, bot.id]),
      [bot.id],
    ]);
  });

  test('the bot leaves, also again, and can no longer change the channel', async () => {
    const id = await create({ is_public: false });
    for (let n = 0; n < 2; n += 1) expect((await post(`/${id}/leave`)).status).toBe(200);
    expect(await membersOf(id)).toEqual([]);
    expect((await call('PATCH', `/${id}`, { topic: 'a' })).status).toBe(403);
    expect((await post(`/${uuidv7()}/leave`)).status).toBe(404);
  });
});

test('a deactivated bot gets 401, and nothing is created', async () => {
  await fixture.admin('PATCH', `/bots/${bot.id}`, { is_active: false });
  expect((await post('', { name: 'a' })).status).toBe(401);
  expect(await events('CONVERSATION_CREATED')).toEqual([]);
});
