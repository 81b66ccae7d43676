import { runInWorkerTx } from '@tieline/platform/database';
import { readRows } from '@tieline/testing';
import { NoPlacesModule, seedSpace, startTestApi } from '../testing/index.js';
import type { SeededSpace, TestApi } from '../testing/index.js';
import { raiseNotice } from './raise-notice.js';
import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';

const NOTICES = '/api/v1/admin/notices';
const OBJECT = '0198f3a2-7c1b-7000-8000-00000000ffff';

let api: TestApi;
let space: SeededSpace;
beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule]);
});
beforeEach(async () => {
  space = await seedSpace(api.db);
});
afterAll(() => api.close());

const raise = (text: string, spaceId = space.spaceId) =>
  runInWorkerTx(api.db, (tx) =>
    raiseNotice(tx, { spaceId, kind: 'bot.push_disabled', objectType: 'bot', objectId: OBJECT, text }),
  );
const list = async (query = '', token = space.owner.token) =>
  api.call('GET', `${NOTICES}${query}`, { token });
const dismiss = async (id: string, token = space.owner.token) =>
  api.call('POST', `${NOTICES}/${id}/dismiss`, { token });

test('a notice is shown to the admins of its space, newest first', async () => {
  const first = await raise('first');
  const second = await raise('second');
  await raise('elsewhere', (await seedSpace(api.db)).spaceId);
  const admin = await space.person('admin');
  expect((await list('', admin.token)).body).toEqual({
    ok: true,
    notices: [second, first].map((id, n) => ({
      id,
      kind: 'bot.push_disabled',
      object_type: 'bot',
      object_id: OBJECT,
      text: n === 0 ? 'second' : 'first',
      created_at: expect.stringMatching(/Z$/),
    })),
    next_cursor: '',
  });
});

test('a notice is sent as an event with its view', async () => {
  await raise('told');
  const [notice] = (await list()).body.notices;
  const events = await readRows<{ payload: string }>(
    api.db,
    "SELECT payload FROM outbox WHERE space_id = $1 AND type = 'NOTICE_CREATED'",
    [space.spaceId],
  );
  expect(events.map(({ payload }) => JSON.parse(payload) as object)).toEqual([notice]);
});

test('a dismissed notice is gone for every admin, and a repeat gets 200 without a second audit entry', async () => {
  const [kept, gone] = [await raise('kept'), await raise('gone')];
  const admin = await space.person('admin');
  expect(await dismiss(gone, admin.token)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await dismiss(gone.toUpperCase())).status).toBe(200);
  expect((await list()).body.notices.map(({ id }: { id: string }) => id)).toEqual([kept]);
  const { body } = await api.call('GET', '/api/v1/admin/audit_log', { token: space.owner.token });
  const entries = body.entries.filter(({ action }: { action: string }) => action === 'notice.dismissed');
  expect(entries).toMatchObject([
    { actor_id: admin.id, actor_type: 'user', object_type: 'notice', object_id: gone },
  ]);
});

test('a notice of another space and an unknown or malformed id get 404', async () => {
  const foreign = await raise('elsewhere', (await seedSpace(api.db)).spaceId);
  for (const id of [foreign, OBJECT, '12'])
    expect(await dismiss(id)).toMatchObject({ status: 404, body: { ok: false } });
  expect(
    await api.db.query('SELECT 1 FROM notices WHERE id = $1 AND dismissed_at IS NULL', [foreign]),
  ).toHaveLength(1);
});

test('the list pages through the open ones', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push(await raise(`${n}`));
  await dismiss(ids[2]!);
  const first = (await list('?limit=2')).body;
  const second = (await list(`?limit=2&cursor=${first.next_cursor}`)).body;
  expect([...first.notices, ...second.notices].map(({ id }: { id: string }) => id)).toEqual([
    ids[4],
    ids[3],
    ids[1],
    ids[0],
  ]);
  expect(second.next_cursor).toBe('');
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=abc'])
    expect((await list(query)).status).toBe(400);
});

test('an api without NoticePlaces fails to start and names it', async () => {
  await expect(startTestApi([SpacesModule, SpacesAdminModule])).rejects.toThrow(/\bNoticePlaces\b/);
});

test('concurrent dismissals hold two connections while they wait for each other', async () => {
  const id = await raise('seen');
  const { answers, waited } = await api.whileRowLocked('notices', id, () =>
    Array.from({ length: 12 }, () => dismiss(id)),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});
