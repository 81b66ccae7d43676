import { uuidv7 } from 'uuidv7';
import type { Member } from '@tieline/conversations/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import type { SeededBot } from '../testing/index.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let self: Member, ann: Member;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000' });
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  self = { id: bot.id, type: 'bot' };
  ann = { id: (await fixture.space.person('member', 'Ann')).id, type: 'user' };
});
afterAll(() => api?.close());

const get = (path = '', token = bot.token): Promise<TestAnswer> =>
  api.call('GET', `/api/v1/bot/conversations${path}`, { token });
const listed = async (query = ''): Promise<[string, boolean][]> =>
  (await get(query)).body.conversations.map(({ id, is_member }: { id: string; is_member: boolean }) => [
    id,
    is_member,
  ]);
const archive = (id: string) =>
  api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [id]);

/** One conversation of each kind. Threads and archived ones must not be listed. */
async function furnish() {
  const own = await fixture.chat.conversation({ members: [self, ann] });
  const open = await fixture.chat.conversation({ type: 'voice', members: [ann] });
  const secret = await fixture.chat.conversation({ scope: 'private', members: [self] });
  const hidden = await fixture.chat.conversation({ scope: 'private', members: [ann] });
  const dm = await fixture.chat.direct(self, ann);
  const root = await fixture.chat.post(own, ann, 'root');
  const thread = (await fixture.chat.post(own, ann, 'reply', { parentMessageId: root.messageId }))
    .conversationId;
  await archive(await fixture.chat.conversation({ members: [self] }));
  await archive(await fixture.chat.conversation({ members: [ann] }));
  await fixture.chat.direct(ann, { id: fixture.space.owner.id, type: 'user' });
  return { own, open, secret, hidden, dm, thread };
}

describe('GET /bot/conversations', () => {
  test('lists its own and those it could join, and each kind separately', async () => {
    const { own, open, secret, dm } = await furnish();
    expect(await listed()).toEqual([
      [own, true],
      [open, false],
      [secret, true],
      [dm, true],
    ]);
    expect(await listed('?member=true')).toEqual([
      [own, true],
      [secret, true],
      [dm, true],
    ]);
    expect(await listed('?member=false')).toEqual([[open, false]]);
  });

  test('q limits it to names', async () => {
    await furnish();
    const id = await fixture.chat.conversation({ name: 'Döner releases', members: [ann] });
    expect(await listed('?q=DONER')).toEqual([[id, false]]);
    expect(await listed('?q=rel%20don&member=false')).toEqual([[id, false]]);
    expect(await listed('?q=doner&member=true')).toEqual([]);
    expect(await listed('?q=%25')).toEqual([]);
  });

  test('channel_ids limits it, except for direct chats', async () => {
    const { own, open, secret, dm } = await furnish();
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [open, secret] });
    expect(await listed()).toEqual([
      [open, false],
      [secret, true],
      [dm, true],
    ]);
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [own] });
    expect(await listed('?member=false')).toEqual([]);
  });

  test('pages cover all of them once', async () => {
    const { own, open, secret, dm } = await furnish();
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`?limit=1&cursor=${cursor}`);
      expect(body.conversations).toHaveLength(1);
      seen.push(body.conversations[0].id);
      cursor = body.next_cursor;
    } while (cursor !== '');
    expect(seen).toEqual([own, open, secret, dm]);
  });

  test('excludes other spaces', async () => {
    await (await BotsFixture.of(api)).channelOf();
    expect(await listed()).toEqual([]);
  });

  test.each(['member=yes', 'member=', 'limit=0', 'limit=201', 'cursor=x'])('%s gets 400', async (query) => {
    expect((await get(`?${query}`)).status).toBe(400);
  });
});

describe('GET /bot/conversations/{id}', () => {
  test('returns what the bot can read, including threads and archived ones', async () => {
    const { own, open, secret, dm, thread } = await furnish();
    for (const [id, isMember] of [
      [own, true],
      [open, false],
      [secret, true],
      [dm, true],
      [thread, true],
    ] as const)
      expect(await get(`/${id.toUpperCase()}`)).toMatchObject({
        status: 200,
        body: { ok: true, conversation: { id, is_member: isMember } },
      });
    await archive(own);
    expect((await get(`/${own}`)).body.conversation.archived_at).toEqual(expect.any(String));
  });

  test('gets 403 for a private one of others, 404 for unknown and foreign ones', async () => {
    const { hidden, own } = await furnish();
    expect(await get(`/${hidden}`)).toMatchObject({ status: 403, body: { code: 'not_readable' } });
    const stranger = await (await BotsFixture.of(api)).bot();
    expect((await get(`/${own}`, stranger.token)).status).toBe(404);
    for (const path of [`/${uuidv7()}`, '/x']) expect((await get(path)).status).toBe(404);
  });

  test('gets 403 outside of channel_ids', async () => {
    const { own, open } = await furnish();
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [open] });
    expect((await get(`/${own}`)).status).toBe(403);
  });
});
