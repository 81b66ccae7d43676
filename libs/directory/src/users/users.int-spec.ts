import { uuidv7 } from 'uuidv7';
import { limitedToken } from '@tieline/spaces/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { DirectoryModule } from '../directory.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;

beforeAll(async () => {
  api = await startBotsApi({}, [DirectoryModule]);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
});
afterAll(() => api?.close());

const get = (path: string): Promise<TestAnswer> =>
  api.call('GET', `/api/v1/bot/users${path}`, { token: bot.token });
const lookup = (email: string) => get(`/lookup?email=${encodeURIComponent(email)}`);
const showEmails = (shown = true) => fixture.admin('PATCH', '/space', { bots_see_emails: shown });

async function person(fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await fixture.admin('POST', '/users', {
    display_name: 'Ada',
    email: 'Ada@Example.com',
    ...fields,
  });
  return body.user.id;
}

test("a person's address is hidden unless the space lets bots see it", async () => {
  const id = await person({ role: 'guest' });
  const ada = { id, display_name: 'Ada', role: 'guest', is_active: true };
  expect(await get(`/${id}`)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await get(`/${id}`)).body.user).toEqual(ada);
  expect((await get('')).body.users[0]).toEqual(ada);
  await showEmails();
  expect((await get(`/${id.toUpperCase()}`)).body.user).toEqual({ ...ada, email: 'Ada@Example.com' });
  expect((await get('')).body.users[0]).toEqual({ ...ada, email: 'Ada@Example.com' });
  await showEmails(false);
  expect((await get(`/${id}`)).body.user).toEqual(ada);
});

test('a person without an address shows none', async () => {
  await showEmails();
  expect((await get(`/${fixture.space.owner.id}`)).body.user).not.toHaveProperty('email');
});

test('a token without the scope users:read.email sees no address and cannot look one up', async () => {
  await showEmails();
  const id = await person();
  const [without, withIt] = [
    limitedToken(bot.token, 'users:read'),
    limitedToken(bot.token, 'users:read', 'users:read.email'),
  ];
  const as = async (token: string, path: string) =>
    (await api.call('GET', `/api/v1/bot/users${path}`, { token })).body;
  for (const path of ['', `/${id}`]) {
    expect(JSON.stringify(await as(without, path))).not.toContain('Ada@Example.com');
    expect(JSON.stringify(await as(withIt, path))).toContain('Ada@Example.com');
  }
  const lookUp = '/lookup?email=ada@example.com';
  expect(await as(without, lookUp)).toMatchObject({
    code: 'insufficient_scope',
    required: 'users:read.email',
  });
  expect(await as(withIt, lookUp)).toMatchObject({ user: { id } });
});

test('a deactivated person is shown as such; foreign and unknown people get 404', async () => {
  const id = await person({ is_active: false });
  expect((await get(`/${id}`)).body.user).toMatchObject({ is_active: false });
  const other = await BotsFixture.of(api);
  for (const unknown of [other.space.owner.id, uuidv7(), bot.id, 'x'])
    expect((await get(`/${unknown}`)).status).toBe(404);
});

test('the list covers everyone once, newest first', async () => {
  const made: string[] = [];
  for (let n = 0; n < 4; n += 1) made.push(await person());
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await get(`?limit=2&cursor=${cursor}`);
    seen.push(...body.users.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  } while (cursor !== '');
  expect(seen).toEqual([...made.reverse(), fixture.space.owner.id]);
  for (const query of ['limit=0', 'limit=201', 'cursor=x']) expect((await get(`?${query}`)).status).toBe(400);
});

test('q limits the list to names, without regard to case and accents', async () => {
  const id = await person({ display_name: 'Zoë Straße' });
  const ids = async (q: string): Promise<string[]> =>
    (await get(`?q=${encodeURIComponent(q)}`)).body.users.map((user: { id: string }) => user.id);
  for (const q of ['zoe', 'STRASSE', 'str zo']) expect(await ids(q)).toEqual([id]);
  for (const q of ['%', 'zoe owner']) expect(await ids(q)).toEqual([]);
  expect((await get('?q=')).body.users).toHaveLength(2);
  expect((await get(`?q=${'x'.repeat(101)}`)).status).toBe(400);
});

describe('lookup by e-mail address', () => {
  test('finds an active person, case-insensitively', async () => {
    await showEmails();
    const id = await person();
    for (const email of ['ada@example.com', 'ADA@EXAMPLE.COM'])
      expect(await lookup(email)).toMatchObject({
        status: 200,
        body: { ok: true, user: { id, email: 'Ada@Example.com' } },
      });
  });

  test('gets 404 if the space hides addresses, and for deactivated, unknown and foreign people', async () => {
    const id = await person();
    expect((await lookup('ada@example.com')).status).toBe(404);
    await showEmails();
    expect((await lookup('ada@example.com')).status).toBe(200);
    await fixture.admin('PATCH', `/users/${id}`, { is_active: false });
    expect(await lookup('ada@example.com')).toMatchObject({ status: 404, body: { ok: false } });
    const other = await BotsFixture.of(api);
    await other.admin('POST', '/users', { display_name: 'Bob', email: 'bob@example.com' });
    for (const email of ['bob@example.com', 'nobody@example.com', '%', 'ada'])
      expect((await lookup(email)).status).toBe(404);
  });

  test('finds the first of several people with one address', async () => {
    await showEmails();
    const first = await person();
    await person({ email: 'ada@example.com' });
    expect((await lookup('ada@example.com')).body.user.id).toBe(first);
  });

  test.each(['', '?email=', `?email=${'x'.repeat(255)}`, '?email=a&email=b'])(
    '%s gets 400',
    async (query) => {
      expect(await get(`/lookup${query}`)).toMatchObject({ status: 400, body: { field: 'email' } });
    },
  );
});
