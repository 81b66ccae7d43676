import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';
import { NoPlacesModule, OPERATOR_TOKEN, seedSpace, startTestApi, TestBrowser } from '../testing/index.js';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '../testing/index.js';

const SESSION = '/api/v1/client/session';
const DAY_MS = 86_400_000;

let api: TestApi;
let space: SeededSpace;
let admin: SeededPerson;
let ada: SeededPerson;

beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule], {
    PUBLIC_URL: 'https://tieline.example/base/',
  });
  space = await seedSpace(api.db);
  admin = await space.person('admin');
});
beforeEach(async () => {
  ada = await space.person('member');
});
afterAll(() => api?.close());

const at = (person: SeededPerson): string => `/api/v1/admin/users/${person.id}/invite`;
const invite = (person = ada, by = admin): Promise<TestAnswer> =>
  api.call('POST', at(person), { token: by.token });
const show = (person = ada): Promise<TestAnswer> => api.call('GET', at(person), { token: admin.token });
const tokenIn = ({ body }: TestAnswer): string => new URL(body.url as string).hash.slice('#invite='.length);
const use = (token: string): Promise<TestAnswer> => api.call('POST', SESSION, { body: { invite: token } });

test('an invite is a link with 256 random bits after its #, valid for seven days, and no part of it is stored', async () => {
  const { status, body } = await invite();
  expect([status, Object.keys(body)]).toEqual([201, ['ok', 'url', 'expires_at']]);
  expect(body.url).toMatch(/^https:\/\/tieline\.example\/base\/#invite=tli_[\w-]{43}$/);
  expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
  const stored = JSON.stringify(await api.db.query('SELECT * FROM invites'));
  expect(stored).not.toContain(tokenIn({ body } as TestAnswer));
});

test('concurrent uses of one invite hold two connections while they wait, and one of them succeeds', async () => {
  const token = tokenIn(await invite());
  const { answers, waited } = await api.whileRowLocked('users', ada.id, () =>
    Array.from({ length: 8 }, () => use(token)),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
});

test.each([
  ['POST', [201, 201]],
  ['DELETE', [200, 404]],
] as const)(
  'concurrent requests for %s hold two connections while they wait for the person',
  async (method, [first, later]) => {
    await invite();
    const { answers, waited } = await api.whileRowLocked('users', ada.id, () =>
      Array.from({ length: 12 }, () => api.call(method, at(ada), { token: admin.token })),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status).sort()).toEqual([first, ...Array(11).fill(later)]);
  },
);

test('it signs its person in, once', async () => {
  const token = tokenIn(await invite());
  const { status, body, headers } = await use(token);
  expect([status, body.user.id]).toEqual([200, ada.id]);
  expect(headers.get('set-cookie')).toMatch(/^__Host-tieline_session=tls_/);
  const again = await use(token);
  expect([again.status, again.body.code, again.headers.get('set-cookie')]).toEqual([
    401,
    'invalid_invite',
    null,
  ]);
});

test('one of several concurrent uses signs in', async () => {
  const token = tokenIn(await invite());
  const responses = await Promise.all(Array.from({ length: 8 }, () => use(token)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('GET shows when it expires, never the link; 404 once it is used, revoked or expired', async () => {
  expect((await show()).body.code).toBe('no_invite');
  const made = await invite();
  expect((await show()).body).toEqual({ ok: true, expires_at: made.body.expires_at });
  await use(tokenIn(made));
  expect((await show()).status).toBe(404);
});

test('a new one revokes the earlier', async () => {
  const [first, second] = [tokenIn(await invite()), tokenIn(await invite())];
  expect((await use(first)).status).toBe(401);
  expect((await use(second)).status).toBe(200);
});

test('DELETE revokes it', async () => {
  const token = tokenIn(await invite());
  expect((await api.call('DELETE', at(ada), { token: admin.token })).status).toBe(200);
  expect((await use(token)).status).toBe(401);
  expect((await show()).status).toBe(404);
  expect((await api.call('DELETE', at(ada), { token: admin.token })).status).toBe(404);
});

test('it expires after seven days', async () => {
  const token = tokenIn(await invite());
  await api.db.query('UPDATE invites SET expires_at = now() WHERE user_id = $1', [ada.id]);
  expect((await use(token)).status).toBe(401);
  expect((await show()).status).toBe(404);
});

test('a deactivated person gets 409 instead of an invite', async () => {
  await api.db.query('UPDATE users SET is_active = false WHERE id = $1', [ada.id]);
  const { status, body } = await invite();
  expect([status, body.code]).toEqual([409, 'user_inactive']);
});

test('an owner’s invite, like an owner’s token, is created, seen and revoked only by owners', async () => {
  const boss = await space.person('owner');
  for (const method of ['POST', 'GET', 'DELETE'])
    expect((await api.call(method, at(boss), { token: admin.token })).body.code).toBe('owners_only');
  const path = `/api/v1/admin/users/${boss.id}/regenerate_token`;
  expect((await api.call('POST', path, { token: admin.token })).body.code).toBe('owners_only');
  expect((await invite(boss, space.owner)).status).toBe(201);
  expect((await api.call('GET', at(boss), { token: space.owner.token })).status).toBe(200);
});

test('a person of another space gets 404', async () => {
  const other = await seedSpace(api.db);
  for (const method of ['POST', 'GET', 'DELETE'])
    expect((await api.call(method, at(other.owner), { token: space.owner.token })).status).toBe(404);
});

describe('an open invite is revoked by', () => {
  const users = '/api/v1/admin/users';
  test.each<[string, (person: SeededPerson) => Promise<TestAnswer>]>([
    [
      'deactivation',
      ({ id }) => api.call('PATCH', `${users}/${id}`, { token: admin.token, body: { is_active: false } }),
    ],
    [
      'another role',
      ({ id }) => api.call('PATCH', `${users}/${id}`, { token: space.owner.token, body: { role: 'owner' } }),
    ],
    ['a new token', ({ id }) => api.call('POST', `${users}/${id}/regenerate_token`, { token: admin.token })],
    [
      'a new token by the operator',
      ({ id }) =>
        api.call('POST', `/api/v1/operator/spaces/${space.spaceId}/users/${id}/regenerate_token`, {
          token: OPERATOR_TOKEN,
        }),
    ],
  ])('%s', async (_, change) => {
    const token = tokenIn(await invite());
    expect((await change(ada)).status).toBe(200);
    await api.db.query('UPDATE users SET is_active = true WHERE id = $1', [ada.id]);
    expect((await use(token)).status).toBe(401);
  });
});

test('the audit log shows who invited and that the invite was used, but never the link', async () => {
  const token = tokenIn(await invite());
  await use(token);
  await invite();
  await api.call('DELETE', at(ada), { token: admin.token });
  const { entries } = (await api.call('GET', '/api/v1/admin/audit_log', { token: admin.token })).body;
  const own = entries.filter((one: any) => one.object_id === ada.id && one.action !== 'user.created');
  expect(own.map((one: any) => [one.action, one.actor_id])).toEqual([
    ['user.invite_revoked', admin.id],
    ['user.invited', admin.id],
    ['user.invite_used', ada.id],
    ['user.invited', admin.id],
  ]);
  expect(JSON.stringify(entries)).not.toContain('tli_');
});

test('the session of an invite is like any other', async () => {
  const browser = await TestBrowser.open(api, { invite: tokenIn(await invite()) });
  const renamed = await browser.call('PATCH', '/api/v1/client/me', { body: { display_name: 'Ada' } });
  expect([renamed.status, renamed.body.user.id]).toEqual([200, ada.id]);
});
