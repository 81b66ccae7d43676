import { TokenResolvers } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { readRows } from '@tieline/testing';
import { NoPlacesModule, OPERATOR_TOKEN, seedSpace, startTestApi } from '../testing/index.js';
import type { SeededSpace, TestApi } from '../testing/index.js';
import { ROLES } from './roles.js';
import type { Role } from './roles.js';
import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';
import { findActiveUsers } from './users.queries.js';

const USERS = '/api/v1/admin/users';
const UNKNOWN = '0198f3a2-7c1b-7000-8000-00000000ffff';

let api: TestApi;
let space: SeededSpace;
beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule]);
  api.app.get(TokenResolvers).register('tlb_', async () => ({
    kind: 'bot',
    botId: UNKNOWN,
    spaceId: space.spaceId,
    channelIds: [],
    scopes: 'all',
  }));
});
beforeEach(async () => {
  space = await seedSpace(api.db);
});
afterAll(() => api.close());

const patch = (id: string, body: unknown, token = space.owner.token) =>
  api.call('PATCH', `${USERS}/${id}`, { token, body });
const create = (body: unknown, token = space.owner.token) => api.call('POST', USERS, { token, body });
const statusOf = async (token: string) => (await api.call('GET', '/api/v1/client/me', { token })).status;
const stored = async (id: string) =>
  (
    await readRows<{ role: Role; is_active: boolean; token_hash: Buffer }>(
      api.db,
      'SELECT role, is_active, token_hash FROM users WHERE id = $1',
      [id],
    )
  )[0];

describe('creating a person', () => {
  test('returns them with a token that works', async () => {
    const { status, body } = await create({
      display_name: 'Ada 😀',
      email: 'ada@example.com',
      role: 'guest',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      user: {
        id: expect.any(String),
        display_name: 'Ada 😀',
        email: 'ada@example.com',
        role: 'guest',
        is_active: true,
        created_at: expect.stringMatching(/Z$/),
      },
      token: expect.stringMatching(/^tlu_[A-Za-z0-9_-]{43}$/),
    });
    expect(await statusOf(body.token)).toBe(200);
    expect((await stored(body.user.id))?.token_hash).toEqual(hashToken(body.token));
  });

  test('creates an active member without an e-mail address by default', async () => {
    expect(await create({ display_name: 'Ada', email: null, role: null, is_active: null })).toMatchObject({
      status: 201,
      body: { user: { email: '', role: 'member', is_active: true } },
    });
  });

  test.each([
    [{}],
    [{ display_name: '' }],
    [{ display_name: ' \n' }],
    [{ display_name: '😀'.repeat(65) }],
    [{ display_name: 5 }],
    [{ display_name: 'A', role: 'king' }],
    [{ display_name: 'A', role: ['owner'] }],
    [{ display_name: 'A', email: 'nobody' }],
    [{ display_name: 'A', email: 7 }],
    [{ display_name: 'A', email: `${'a'.repeat(250)}@b.cd` }],
    [{ display_name: 'A', is_active: 1 }],
    [undefined],
  ])('%j gets 400', async (body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { ok: false, error: expect.any(String) } });
  });

  test('accepts 64 characters of any plane as a name', async () => {
    expect(await create({ display_name: '😀'.repeat(64) })).toMatchObject({
      status: 201,
      body: { user: { display_name: '😀'.repeat(64) } },
    });
  });
});

describe('roles', () => {
  test.each(ROLES)('an owner creates a %s', async (role) => {
    expect(await create({ display_name: 'A', role })).toMatchObject({
      status: 201,
      body: { user: { role } },
    });
  });

  test.each(ROLES)('an admin creates a %s unless that is an owner', async (role) => {
    const admin = await space.person('admin');
    expect((await create({ display_name: 'A', role }, admin.token)).status).toBe(
      role === 'owner' ? 403 : 201,
    );
  });

  const moves = ROLES.flatMap((from) => ROLES.map((to) => [from, to] as const));
  test.each(moves)('an owner turns a %s into a %s', async (from, to) => {
    const person = await space.person(from);
    expect(await patch(person.id, { role: to })).toMatchObject({
      status: 200,
      body: { ok: true, user: { id: person.id, role: to } },
    });
  });

  test.each(moves)('an admin turns a %s into a %s unless an owner is involved', async (from, to) => {
    const [admin, person] = [await space.person('admin'), await space.person(from)];
    const allowed = from !== 'owner' && to !== 'owner';
    expect((await patch(person.id, { role: to }, admin.token)).status).toBe(allowed ? 200 : 403);
    expect((await stored(person.id))?.role).toBe(allowed ? to : from);
  });

  test('an admin cannot change an owner: neither name nor activity nor token', async () => {
    const [admin, owner] = [await space.person('admin'), await space.person('owner')];
    for (const body of [{ display_name: 'X' }, { is_active: false }, { email: 'x@example.com' }, {}]) {
      expect(await patch(owner.id, body, admin.token)).toMatchObject({ status: 403, body: { ok: false } });
    }
    expect(
      (await api.call('POST', `${USERS}/${owner.id}/regenerate_token`, { token: admin.token })).status,
    ).toBe(403);
    expect(await statusOf(owner.token)).toBe(200);
  });

  test('a role applies from the next request on', async () => {
    const person = await space.person('member');
    expect((await api.call('GET', USERS, { token: person.token })).status).toBe(403);
    await patch(person.id, { role: 'admin' });
    expect((await api.call('GET', USERS, { token: person.token })).status).toBe(200);
  });
});

describe('the last active owner', () => {
  test.each([
    [{ role: 'admin' }],
    [{ role: 'guest' }],
    [{ is_active: false }],
    [{ role: 'owner', is_active: false }],
  ])('stays one: %j gets 409', async (body) => {
    const inactive = await space.person('owner');
    await patch(inactive.id, { is_active: false });
    expect(await patch(space.owner.id, body)).toMatchObject({ status: 409, body: { ok: false } });
    expect(await stored(space.owner.id)).toMatchObject({ role: 'owner', is_active: true });
  });

  test('may be renamed', async () => {
    expect(
      await patch(space.owner.id, { display_name: 'Boss', role: 'owner', is_active: true }),
    ).toMatchObject({ status: 200, body: { user: { display_name: 'Boss' } } });
  });

  test('may leave when there is another, in the same space', async () => {
    await (await seedSpace(api.db)).person('owner');
    expect((await patch(space.owner.id, { role: 'member' })).status).toBe(409);
    await space.person('owner');
    expect((await patch(space.owner.id, { role: 'member' })).status).toBe(200);
  });

  test.each([[{ role: 'member' }], [{ is_active: false }]])(
    'remains when all owners step down concurrently with %j',
    async (body) => {
      for (let round = 0; round < 5; round += 1) {
        const fresh = await seedSpace(api.db);
        const owners = [fresh.owner, await fresh.person('owner'), await fresh.person('owner')];
        const responses = await Promise.all(owners.map(({ id, token }) => patch(id, body, token)));
        expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
      }
    },
  );

  test('remains when two owners demote each other concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const fresh = await seedSpace(api.db);
      const second = await fresh.person('owner');
      await Promise.all([
        patch(second.id, { role: 'member' }, fresh.owner.token),
        patch(fresh.owner.id, { role: 'member' }, second.token),
      ]);
      const left = await api.db.query(
        `SELECT 1 FROM users WHERE space_id = $1 AND role = 'owner' AND is_active`,
        [fresh.spaceId],
      );
      expect(left).toHaveLength(1);
    }
  });
});

describe('changing a person', () => {
  test('changes the given fields and keeps the rest; null is the same as absent', async () => {
    const { body } = await create({ display_name: 'Ada', email: 'ada@example.com', role: 'guest' });
    const response = await patch(body.user.id.toUpperCase(), {
      display_name: 'Eve',
      email: null,
      role: null,
      is_active: null,
    });
    expect(response).toEqual(
      expect.objectContaining({
        status: 200,
        body: { ok: true, user: { ...body.user, display_name: 'Eve' } },
      }),
    );
    expect(await patch(body.user.id, { email: '' })).toMatchObject({
      status: 200,
      body: { user: { email: '', display_name: 'Eve' } },
    });
  });

  test('concurrent changes hold two connections of a space while they wait for it', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => space.person('member')));
    const { answers, waited } = await api.whileRowLocked('spaces', space.spaceId, () =>
      people.map(({ id }) => patch(id, { role: 'guest' })),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  test('concurrent new tokens of one person hold two connections while they wait for each other', async () => {
    const { id } = await space.person('member');
    const { answers, waited } = await api.whileRowLocked('users', id, () =>
      Array.from({ length: 12 }, () =>
        api.call('POST', `${USERS}/${id}/regenerate_token`, { token: space.owner.token }),
      ),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  test('deactivation revokes their token permanently: activated again, they need a new one', async () => {
    const person = await space.person('member');
    expect(await patch(person.id, { is_active: false })).toMatchObject({
      status: 200,
      body: { user: { is_active: false } },
    });
    expect(await api.call('GET', '/api/v1/client/me', { token: person.token })).toMatchObject({
      status: 401,
      body: { ok: false, error: 'invalid or revoked token' },
    });
    expect(await findActiveUsers(api.db, space.spaceId, [person.id, space.owner.id])).toEqual([
      space.owner.id,
    ]);
    await patch(person.id, { is_active: true });
    expect(await statusOf(person.token)).toBe(401);
    const path = `${USERS}/${person.id}/regenerate_token`;
    const { body } = await api.call('POST', path, { token: space.owner.token });
    expect(await statusOf(body.token)).toBe(200);
  });

  test.each([
    [{ display_name: '' }],
    [{ role: 'king' }],
    [{ is_active: 'no' }],
    [{ email: 'nobody' }],
    [undefined],
  ])('to %j gets 400', async (body) => {
    expect((await patch((await space.person('member')).id, body)).status).toBe(400);
  });

  test('a person of another space and an unknown or malformed id get 404', async () => {
    const foreign = (await seedSpace(api.db)).owner;
    for (const id of [foreign.id, UNKNOWN, '12']) {
      expect(await patch(id, { display_name: 'X' })).toMatchObject({ status: 404, body: { ok: false } });
      expect(
        (await api.call('POST', `${USERS}/${id}/regenerate_token`, { token: space.owner.token })).status,
      ).toBe(404);
    }
    expect(await statusOf(foreign.token)).toBe(200);
    expect(await findActiveUsers(api.db, space.spaceId, [foreign.id, space.owner.id])).toEqual([
      space.owner.id,
    ]);
  });
});

test('a new token revokes the old one immediately', async () => {
  const person = await space.person('member');
  const { status, body } = await api.call('POST', `${USERS}/${person.id}/regenerate_token`, {
    token: space.owner.token,
  });
  expect(status).toBe(200);
  expect(body).toEqual({ ok: true, token: expect.stringMatching(/^tlu_/) });
  expect(body.token).not.toBe(person.token);
  expect([await statusOf(person.token), await statusOf(body.token)]).toEqual([401, 200]);
});

test('the operator gives an owner who lost the only token a new one, and the audit log has it', async () => {
  const path = (spaceId: string, id: string) =>
    `/api/v1/operator/spaces/${spaceId}/users/${id}/regenerate_token`;
  const { status, body } = await api.call('POST', path(space.spaceId, space.owner.id), {
    token: OPERATOR_TOKEN,
  });
  expect([status, body]).toEqual([200, { ok: true, token: expect.stringMatching(/^tlu_/) }]);
  expect([await statusOf(space.owner.token), await statusOf(body.token)]).toEqual([401, 200]);
  const { body: log } = await api.call('GET', '/api/v1/admin/audit_log', { token: body.token });
  expect(log.entries[0]).toMatchObject({
    actor_type: 'operator',
    action: 'user.token_regenerated',
    object_id: space.owner.id,
  });
  const other = await seedSpace(api.db);
  for (const [spaceId, id] of [
    [other.spaceId, space.owner.id],
    [space.spaceId, UNKNOWN],
  ] as const)
    expect((await api.call('POST', path(spaceId, id), { token: OPERATOR_TOKEN })).status).toBe(404);
  expect((await api.call('POST', path(space.spaceId, space.owner.id), { token: body.token })).status).toBe(
    401,
  );
});

test('the list returns every person of the space once, newest first, inactive people too, without tokens', async () => {
  const people = [space.owner];
  for (const role of ['member', 'guest', 'admin', 'member'] as const) people.push(await space.person(role));
  await patch(people[1]!.id, { is_active: false });
  const seen: { id: string; is_active: boolean }[] = [];
  let cursor = '';
  do {
    const { status, body } = await api.call('GET', `${USERS}?limit=2&cursor=${cursor}`, {
      token: space.owner.token,
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toMatch(/tlu_|token/);
    seen.push(...body.users);
    cursor = body.next_cursor;
  } while (cursor !== '');
  expect(seen.map(({ id }) => id)).toEqual(people.map(({ id }) => id).reverse());
  expect(seen.map(({ is_active }) => is_active)).toEqual([true, true, true, false, true]);
  expect((await api.call('GET', USERS, { token: space.owner.token })).body).toMatchObject({
    ok: true,
    next_cursor: '',
  });
});

test.each(['limit=0', 'limit=201', 'limit=x', 'limit=-1', 'cursor=abc'])(
  'a list with %s is 400',
  async (query) => {
    expect((await api.call('GET', `${USERS}?${query}`, { token: space.owner.token })).status).toBe(400);
  },
);

describe.each([
  ['POST', USERS],
  ['GET', USERS],
  ['PATCH', `${USERS}/${UNKNOWN}`],
  ['POST', `${USERS}/${UNKNOWN}/regenerate_token`],
  ['GET', '/api/v1/admin/notices'],
  ['POST', `/api/v1/admin/notices/${UNKNOWN}/dismiss`],
  ['GET', '/api/v1/admin/audit_log'],
])('%s %s', (method, path) => {
  const call = async (token?: string) =>
    (await api.call(method, path, { token, body: method === 'GET' ? undefined : {} })).status;

  test('returns 401 without a known token and 403 for a bot, a member and a guest', async () => {
    expect([await call(), await call('tlu_unknown'), await call('unknown')]).toEqual([401, 401, 401]);
    expect(await call('tlb_some')).toBe(403);
    expect([
      await call((await space.person('member')).token),
      await call((await space.person('guest')).token),
    ]).toEqual([403, 403]);
    expect([200, 400, 404]).toContain(await call((await space.person('admin')).token));
  });
});

test('people are authenticated while requests hold every connection', async () => {
  const call = () => api.call('GET', '/api/v1/client/me', { token: 'tlu_unknown' });
  expect((await api.whileBusy(call)).status).toBe(401);
});
