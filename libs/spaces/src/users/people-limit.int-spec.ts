import { NoPlacesModule, seedSpace, startTestApi } from '../testing/index.js';
import type { SeededSpace, TestApi } from '../testing/index.js';
import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';

let api: TestApi;
let space: SeededSpace;
beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule], {
    SPACE_LIMITS: 'people=6/7/9',
  });
});
beforeEach(async () => {
  space = await seedSpace(api.db);
});
afterAll(() => api.close());

const create = (fields: object = {}) =>
  api.call('POST', '/api/v1/admin/users', {
    token: space.owner.token,
    body: { display_name: 'Ada', ...fields },
  });
const activate = (id: string, is_active: boolean) =>
  api.call('PATCH', `/api/v1/admin/users/${id}`, { token: space.owner.token, body: { is_active } });
const active = async () =>
  (await api.db.query('SELECT 1 FROM users WHERE space_id = $1 AND is_active', [space.spaceId])).length;

test('20 concurrent creations never exceed the limit; a deactivation and a larger plan make room', async () => {
  const { answers, waited } = await api.whileLocked('active people', space.spaceId, () =>
    Array.from({ length: 20 }, () => create()),
  );
  expect(waited).toBe(2);
  const [created, refused] = [201, 409].map((code) => answers.filter(({ status }) => status === code));
  expect([created?.length, refused?.length, await active()]).toEqual([5, 15, 6]);
  expect(refused?.[0]?.body).toEqual({
    ok: false,
    error: 'this space has 6 active people, as many as its plan allows',
    code: 'limit_reached',
  });
  await activate(created?.[0]?.body.user.id, false);
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(409);
  await api.db.query("UPDATE spaces SET plan = 'pro'");
  expect((await create()).status).toBe(201);
});

test('concurrent activations never exceed the limit', async () => {
  const inactive = await Promise.all(Array.from({ length: 10 }, () => create({ is_active: false })));
  expect(inactive.map(({ status }) => status)).toEqual(Array(10).fill(201));
  const responses = await Promise.all(inactive.map(({ body }) => activate(body.user.id, true)));
  expect(responses.map(({ status }) => status).sort()).toEqual([
    ...Array<number>(5).fill(200),
    ...Array<number>(5).fill(409),
  ]);
  expect(await active()).toBe(6);
  const { body } = responses.find(({ status }) => status === 200)!;
  expect((await activate(body.user.id, true)).status).toBe(200);
});
