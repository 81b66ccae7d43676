import { uuidv7 } from 'uuidv7';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { Member } from '@tieline/conversations/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { DirectoryModule } from '../../directory.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let self: Member, ann: Member;
let own: string, open: string;

beforeAll(async () => {
  api = await startBotsApi({}, [DirectoryModule]);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  self = { id: bot.id, type: 'bot' };
  ann = { id: (await fixture.space.person('member', 'Ann')).id, type: 'user' };
  own = await fixture.chat.conversation({ members: [self, ann] });
  open = await fixture.chat.conversation({ type: 'voice', members: [ann] });
});
afterAll(() => api?.close());

const get = (id: string, query = '', token = bot.token): Promise<TestAnswer> =>
  api.call('GET', `/api/v1/bot/conversations/${id}/members${query}`, { token });

describe('GET /bot/conversations/{id}/members', () => {
  test('names people and bots; a thread has those of its channel', async () => {
    const dm = await fixture.chat.direct(self, ann);
    const { messageId: parentMessageId } = await fixture.chat.post(own, ann, 'root');
    const thread = (await fixture.chat.post(own, ann, 'reply', { parentMessageId })).conversationId;
    const robot = { id: bot.id, type: 'bot', display_name: 'Robot' };
    const her = { id: ann.id, type: 'user', display_name: 'Ann' };
    for (const id of [own, dm, thread]) expect((await get(id)).body.members).toEqual([robot, her]);
    expect((await get(open)).body.members).toEqual([her]);
  });

  test('is paginated', async () => {
    const first = (await get(own, '?limit=1')).body;
    expect(first.members).toMatchObject([{ id: bot.id }]);
    const second = (await get(own, `?limit=1&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ members: [{ id: ann.id }], next_cursor: '' });
    expect((await get(own, '?cursor=x')).status).toBe(400);
  });

  test('gets 403 for a private one of others, 404 for unknown and foreign ones', async () => {
    const hidden = await fixture.chat.conversation({ scope: 'private', members: [ann] });
    expect(await get(hidden)).toMatchObject({ status: 403, body: { code: 'not_readable' } });
    const stranger = await (await BotsFixture.of(api)).bot();
    expect((await get(own, '', stranger.token)).status).toBe(404);
    expect((await get(uuidv7())).status).toBe(404);
  });

  test('gets 403 outside of channel_ids', async () => {
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [open] });
    expect((await get(own)).status).toBe(403);
  });
});
