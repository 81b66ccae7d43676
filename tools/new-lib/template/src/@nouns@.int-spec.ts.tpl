import { SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededSpace, TestApi } from '@tieline/spaces/testing';
import { @Nouns@Module } from './@nouns@.module.js';

const @NOUNS@ = '/api/v1/admin/@nouns_@';

let api: TestApi;
let space: SeededSpace;
beforeAll(async () => {
  api = await startTestApi([SpacesModule, @Nouns@Module]);
});
beforeEach(async () => {
  space = await seedSpace(api.db);
});
afterAll(() => api.close());

const create = (name: unknown, token = space.owner.token) =>
  api.call('POST', @NOUNS@, { token, body: { name } });
const list = (token = space.owner.token, query = '') => api.call('GET', `${@NOUNS@}${query}`, { token });

test('a @noun-@ is made and listed, newest first, in its own space alone', async () => {
  const made = [await create('first'), await create('second')];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const [first, second] = made.map(({ body }) => body.@noun_@);
  expect((await list()).body).toEqual({ ok: true, @nouns_@: [second, first], next_cursor: '' });
  const stranger = await seedSpace(api.db);
  expect((await list(stranger.owner.token)).body.@nouns_@).toEqual([]);
});

test('a list comes by pages', async () => {
  for (const name of ['a', 'b', 'c']) await create(name);
  const page = (await list(undefined, '?limit=2')).body;
  expect(page.@nouns_@).toHaveLength(2);
  const rest = (await list(undefined, `?limit=2&cursor=${page.next_cursor}`)).body;
  expect([rest.@nouns_@.length, rest.next_cursor]).toEqual([1, '']);
  expect((await list(undefined, '?cursor=x')).status).toBe(400);
});

test.each([[''], ['x'.repeat(65)], [7], [undefined]])('a name of %p is refused', async (name) => {
  expect((await create(name)).status).toBe(400);
  expect((await list()).body.@nouns_@).toEqual([]);
});

test('members are refused', async () => {
  const member = await space.person('member');
  expect((await create('name', member.token)).status).toBe(403);
});
