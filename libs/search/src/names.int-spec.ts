import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { SearchModule } from './search.module.js';

let api: TestApi;
let fixture: BotsFixture;
let ann: SeededPerson;
let guest: SeededPerson;

beforeAll(async () => {
  api = await startBotsApi({}, [SearchModule]);
});
afterAll(() => api?.close());
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  ann = await fixture.space.person('member', 'Ánn Straße');
  guest = await fixture.space.person('guest', 'Gus Annan');
});

const user = ({ id }: { id: string }) => ({ id, type: 'user' as const });
const call = (person: { token: string }, path: string) =>
  api.call('GET', `/api/v1/client/search${path}`, { token: person.token });

async function people(person: SeededPerson, q: string): Promise<string[]> {
  const { status, body } = await call(person, `/people?q=${encodeURIComponent(q)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.people.map((one: { display_name: string }) => one.display_name);
}

async function conversations(person: SeededPerson, q: string): Promise<string[]> {
  const { body } = await call(person, `/conversations?q=${encodeURIComponent(q)}`);
  return body.conversations.map((one: { name: string }) => one.name);
}

test('people and bots are found by parts of their names, without regard to case and accents', async () => {
  const bot = await fixture.bot({ display_name: 'Annex bot' });
  const gone = await fixture.space.person('member', 'Anna');
  await fixture.admin('PATCH', `/users/${gone.id}`, { is_active: false });
  expect(await people(ann, 'ann')).toEqual(['Ánn Straße', 'Annex bot', 'Gus Annan']);
  expect(await people(ann, 'STRASSE ánn')).toEqual(['Ánn Straße']);
  expect(await people(ann, 'a\u0301nn str')).toEqual(['Ánn Straße']);
  for (const nothing of ['%', '_', '\\', "'", '🎉'.repeat(100), 'zzz'])
    expect(await people(ann, nothing)).toEqual([]);
  const { body } = await call(ann, '/people?q=annex');
  expect(body.people).toEqual([{ id: bot.id, type: 'bot', display_name: 'Annex bot' }]);
  const other = await BotsFixture.of(api);
  expect((await call(other.space.owner, '/people?q=ann')).body.people).toEqual([]);
});

test('guests find only people of their conversations', async () => {
  expect(await people(guest, 'ann')).toEqual(['Gus Annan']);
  await fixture.chat.conversation({ members: [user(guest), user(ann)] });
  expect(await people(guest, 'ann')).toEqual(['Ánn Straße', 'Gus Annan']);
});

test('conversations are found by name, if the caller may read them', async () => {
  const named = (name: string, more: object = {}) => fixture.chat.conversation({ name, ...more });
  await named('new-releases');
  await named('Releases');
  await named('secret releases', { scope: 'private' });
  await named('my releases', { scope: 'private', members: [user(ann)] });
  const old = await named('releases of old', { members: [user(ann)], createdBy: ann.id });
  await api.call('POST', `/api/v1/client/conversations/${old}/archive`, { token: ann.token });
  expect(await conversations(ann, 'release')).toEqual([
    'Releases',
    'my releases',
    'new-releases',
    'releases of old',
  ]);
  expect(await conversations(guest, 'release')).toEqual([]);
});

test.each(['', '?q=', '?q=%20', `?q=${'x'.repeat(101)}`, '?q=a&limit=0', '?q=a%00'])(
  '%s gets 400',
  async (query) => {
    for (const path of ['/people', '/conversations'])
      expect((await call(ann, path + query)).status).toBe(400);
  },
);
