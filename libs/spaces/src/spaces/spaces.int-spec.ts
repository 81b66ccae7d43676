import { readRows } from '@tieline/testing';
import { NoPlacesModule, OPERATOR_TOKEN, seedSpace, startTestApi } from '../testing/index.js';
import type { TestApi } from '../testing/index.js';
import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';
import { plansOf } from './spaces.queries.js';

const SPACES = '/api/v1/operator/spaces';
const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule]);
});
afterAll(() => api.close());

const asOperator = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: OPERATOR_TOKEN, body });

describe('creating a space', () => {
  test('returns the space, its owner and a token that works', async () => {
    const { status, body } = await asOperator('POST', SPACES, { name: 'Acme 😀', plan: 'pro' });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      space: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        name: 'Acme 😀',
        plan: 'pro',
        is_active: true,
        created_at: expect.stringMatching(/Z$/),
      },
      owner: { id: expect.any(String), display_name: expect.any(String), role: 'owner' },
      owner_token: expect.stringMatching(/^tlu_[A-Za-z0-9_-]{43}$/),
    });
    const me = await api.call('GET', '/api/v1/client/me', { token: body.owner_token });
    expect(me).toMatchObject({
      status: 200,
      body: { ok: true, user: { id: body.owner.id, role: 'owner', is_active: true } },
    });
  });

  test('uses the plan free when none is given or it is null', async () => {
    expect(await asOperator('POST', SPACES, { name: 'A' })).toMatchObject({
      status: 201,
      body: { space: { plan: 'free' } },
    });
    expect(await asOperator('POST', SPACES, { name: 'A', plan: null })).toMatchObject({
      status: 201,
      body: { space: { plan: 'free' } },
    });
  });

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: '  ' }],
    [{ name: 7 }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'A', plan: 'gold' }],
    [{ name: 'A', plan: 1 }],
    [undefined],
  ])('%j gets 400', async (body) => {
    expect(await asOperator('POST', SPACES, body)).toMatchObject({
      status: 400,
      body: { ok: false, error: expect.any(String) },
    });
  });

  test('ignores unknown fields', async () => {
    const { body } = await asOperator('POST', SPACES, { name: 'A', id: UNKNOWN, is_active: false });
    expect(body.space).toMatchObject({ is_active: true });
    expect(body.space.id).not.toBe(UNKNOWN);
  });

  test('stores only the hash of the token', async () => {
    const { body } = await asOperator('POST', SPACES, { name: 'A' });
    const [row] = await readRows<{ everything: string }>(
      api.db,
      'SELECT row_to_json(u)::text AS everything FROM users u WHERE id = $1',
      [body.owner.id],
    );
    expect(row?.everything).not.toContain(body.owner_token.slice(4));
  });
});

describe('changing a space', () => {
  test('renames it and moves it to another plan', async () => {
    const { spaceId } = await seedSpace(api.db);
    const response = await asOperator('PATCH', `${SPACES}/${spaceId.toUpperCase()}`, {
      name: 'New',
      plan: 'enterprise',
      is_active: null,
    });
    expect(response).toMatchObject({
      status: 200,
      body: { ok: true, space: { id: spaceId, name: 'New', plan: 'enterprise', is_active: true } },
    });
    expect(await plansOf(api.db, [spaceId, UNKNOWN])).toEqual(new Map([[spaceId, 'enterprise']]));
  });

  test.each([[{ name: '' }], [{ plan: 'gold' }], [{ is_active: 'no' }], [undefined]])(
    'to %j is 400',
    async (body) => {
      const { spaceId } = await seedSpace(api.db);
      expect((await asOperator('PATCH', `${SPACES}/${spaceId}`, body)).status).toBe(400);
    },
  );

  test.each([UNKNOWN, '12'])('%s gets 404', async (id) => {
    expect(await asOperator('PATCH', `${SPACES}/${id}`, { name: 'New' })).toMatchObject({
      status: 404,
      body: { ok: false, error: 'not found' },
    });
  });

  test('while a space is disabled its tokens get 401, and work again once it is enabled', async () => {
    const space = await seedSpace(api.db);
    const other = await seedSpace(api.db);
    const tokens = [
      space.owner.token,
      (await space.person('admin')).token,
      (await space.person('guest')).token,
    ];
    const statuses = () =>
      Promise.all(
        [...tokens, other.owner.token].map(
          async (token) => (await api.call('GET', '/api/v1/client/me', { token })).status,
        ),
      );

    await asOperator('PATCH', `${SPACES}/${space.spaceId}`, { is_active: false });
    expect(await statuses()).toEqual([401, 401, 401, 200]);
    expect(await api.call('GET', '/api/v1/admin/users', { token: space.owner.token })).toMatchObject({
      status: 401,
      body: { ok: false, error: 'invalid or revoked token' },
    });

    await asOperator('PATCH', `${SPACES}/${space.spaceId}`, { is_active: true });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });
});

describe('listing spaces', () => {
  test('lists all of them once, newest first', async () => {
    for (let n = 0; n < 5; n += 1) await seedSpace(api.db);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { status, body } = await asOperator('GET', `${SPACES}?limit=2&cursor=${cursor}`);
      expect(status).toBe(200);
      expect(body.spaces.length).toBeLessThanOrEqual(2);
      seen.push(...body.spaces.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    } while (cursor !== '');
    const rows = await readRows<{ id: string }>(api.db, 'SELECT id FROM spaces ORDER BY id DESC');
    expect(seen).toEqual(rows.map(({ id }) => id));
  });

  test.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'limit=', 'cursor=abc'])(
    '%s is 400',
    async (query) => {
      expect(await asOperator('GET', `${SPACES}?${query}`)).toMatchObject({
        status: 400,
        body: { ok: false },
      });
    },
  );
});

test.each([
  ['POST', SPACES],
  ['GET', SPACES],
  ['PATCH', `${SPACES}/${UNKNOWN}`],
])('%s %s gets 401 but for the operator', async (method, path) => {
  const { owner } = await seedSpace(api.db);
  for (const token of [undefined, owner.token, `${OPERATOR_TOKEN}x`, 'tlu_unknown']) {
    expect(
      (await api.call(method, path, { token, body: method === 'GET' ? undefined : { name: 'A' } })).status,
    ).toBe(401);
  }
});
