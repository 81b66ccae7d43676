import type { Member } from '@tieline/conversations/testing';
import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { DirectoryModule } from '../directory.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let ann: SeededPerson;

beforeAll(async () => {
  api = await startBotsApi({}, [DirectoryModule]);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  ann = await fixture.space.person('member', 'Ann');
});
afterAll(() => api?.close());

const person = ({ id }: { id: string }): Member => ({ id, type: 'user' });
const get = (path: string, { token }: { token: string }) =>
  api.call('GET', `/api/v1/client${path}`, { token });
const ids = (members: { id: string }[]): string[] => members.map(({ id }) => id);

describe('GET /client/members', () => {
  test('names the people and bots of the space to each of its people, including former ones', async () => {
    const gone = await fixture.bot();
    await fixture.admin('DELETE', `/bots/${gone.id}`);
    await fixture.admin('PATCH', `/users/${ann.id}`, { is_active: false });
    const bea = await fixture.space.person('member', 'Bea');
    const { status, body } = await get('/members', bea);
    expect([status, body.next_cursor]).toEqual([200, '']);
    expect(body.members).toEqual(
      [
        { id: fixture.space.owner.id, type: 'user', display_name: 'Owner', is_active: true },
        { id: bot.id, type: 'bot', display_name: 'Robot', is_active: true },
        { id: ann.id, type: 'user', display_name: 'Ann', is_active: false },
        { id: gone.id, type: 'bot', display_name: 'Robot', is_active: false },
        { id: bea.id, type: 'user', display_name: 'Bea', is_active: true },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  test('shows guests themselves and the members of their conversations, no one else', async () => {
    const guest = await fixture.space.person('guest', 'Gus');
    const bea = await fixture.space.person('member', 'Bea');
    expect(ids((await get('/members', guest)).body.members)).toEqual([guest.id]);
    await fixture.chat.conversation({ members: [person(ann), person(bea)] });
    await fixture.chat.conversation({
      scope: 'private',
      members: [person(guest), { id: bot.id, type: 'bot' }],
    });
    await fixture.chat.direct(person(guest), person(bea));
    const { body } = await get('/members', guest);
    expect(ids(body.members)).toEqual([bot.id, guest.id, bea.id].toSorted());
    expect(body.members).toContainEqual({ id: bot.id, type: 'bot', display_name: 'Robot', is_active: true });
  });

  test.each(['member', 'guest'] as const)('is paginated, each member once, for a %s', async (role) => {
    const reader = await fixture.space.person(role, 'Reader');
    await fixture.chat.conversation({ members: [person(reader), person(ann)] });
    await fixture.chat.conversation({ members: [person(reader), person(ann), { id: bot.id, type: 'bot' }] });
    const all = ids((await get('/members', reader)).body.members);
    expect(all).toEqual(expect.arrayContaining([ann.id, bot.id, reader.id]));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/members?limit=1&cursor=${cursor}`, reader);
      expect(body.members).toHaveLength(1);
      seen.push(...ids(body.members));
      cursor = body.next_cursor;
    } while (cursor !== '');
    expect(seen).toEqual(all);
  });

  test('excludes other spaces; a bad cursor or limit gets 400', async () => {
    const other = await BotsFixture.of(api);
    expect(ids((await get('/members', ann)).body.members)).not.toContain(other.space.owner.id);
    for (const query of ['cursor=x', 'limit=0', 'limit=201'])
      expect((await get(`/members?${query}`, ann)).status).toBe(400);
  });
});

describe('GET /client/conversations/{id}/members', () => {
  test('names the members to everyone who may read it; a thread has those of its channel', async () => {
    const open = await fixture.chat.conversation({ members: [person(ann), { id: bot.id, type: 'bot' }] });
    const bea = await fixture.space.person('member', 'Bea');
    const root = await fixture.chat.post(open, person(ann), 'root');
    const thread = await fixture.chat.post(open, person(ann), 'reply', { parentMessageId: root.messageId });
    for (const id of [open, thread.conversationId])
      expect((await get(`/conversations/${id}/members`, bea)).body.members).toEqual([
        { id: bot.id, type: 'bot', display_name: 'Robot' },
        { id: ann.id, type: 'user', display_name: 'Ann' },
      ]);
  });

  test('gets 403 for a private one of others and for guests elsewhere, 404 for another space', async () => {
    const hidden = await fixture.chat.conversation({ scope: 'private', members: [person(ann)] });
    const open = await fixture.chat.conversation({ members: [person(ann)] });
    const bea = await fixture.space.person('member', 'Bea');
    const guest = await fixture.space.person('guest', 'Gus');
    const { owner } = (await BotsFixture.of(api)).space;
    expect((await get(`/conversations/${hidden}/members`, bea)).status).toBe(403);
    expect((await get(`/conversations/${open}/members`, guest)).status).toBe(403);
    expect((await get(`/conversations/${open}/members`, owner)).status).toBe(404);
  });
});
