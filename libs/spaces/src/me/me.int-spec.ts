import { TokenResolvers } from '@tieline/platform/http';
import { limitedToken, NoPlacesModule, seedSpace, startTestApi } from '../testing/index.js';
import type { SeededPerson, SeededSpace, TestApi } from '../testing/index.js';
import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';
import { notificationSettingsOf } from '../users/users.queries.js';

const ME = '/api/v1/client/me';
const QUIET = { start: '22:00', end: '07:00', time_zone: 'Europe/Berlin' };
const NOTHING = { dnd_until: null, quiet_hours: null };

let api: TestApi;
let space: SeededSpace;
let person: SeededPerson;
beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule]);
  api.app.get(TokenResolvers).register('tlb_', async () => ({
    kind: 'bot',
    botId: person.id,
    spaceId: space.spaceId,
    channelIds: [],
    scopes: 'all',
  }));
});
beforeEach(async () => {
  space = await seedSpace(api.db);
  person = await space.person('guest', 'Ada');
});
afterAll(() => api.close());

const show = async () => (await api.call('GET', ME, { token: person.token })).body;
const patch = (body: unknown) => api.call('PATCH', ME, { token: person.token, body });
const set = (notifications: unknown) => patch({ notifications });

test('shows the caller with their notification settings', async () => {
  expect(await show()).toEqual({
    ok: true,
    user: {
      id: person.id,
      display_name: 'Ada',
      email: '',
      role: 'guest',
      is_active: true,
      created_at: expect.stringMatching(/Z$/),
      notifications: NOTHING,
    },
  });
});

test('shows the e-mail address only to tokens with its scope', async () => {
  await api.db.query('UPDATE users SET email = $2 WHERE id = $1', [person.id, 'ada@example.com']);
  const emailFor = async (token: string): Promise<string> =>
    (await api.call('GET', ME, { token })).body.user.email;
  expect(await emailFor(person.token)).toBe('ada@example.com');
  expect(await emailFor(limitedToken(person.token, 'users:read.email'))).toBe('ada@example.com');
  expect(await emailFor(limitedToken(person.token, 'users:read'))).toBe('');
});

test('sets do-not-disturb and quiet hours separately, and null clears one of them', async () => {
  const { body } = await set({ quiet_hours: QUIET });
  expect(body).toMatchObject({
    ok: true,
    user: { id: person.id, notifications: { dnd_until: null, quiet_hours: QUIET } },
  });
  expect((await set({ dnd_until: '2030-01-01T12:00:00+02:00' })).body.user.notifications).toEqual({
    dnd_until: '2030-01-01T10:00:00.000Z',
    quiet_hours: QUIET,
  });
  expect((await show()).user.notifications).toEqual({
    dnd_until: '2030-01-01T10:00:00.000Z',
    quiet_hours: QUIET,
  });
  expect((await set({ quiet_hours: null })).body.user.notifications).toEqual({
    dnd_until: '2030-01-01T10:00:00.000Z',
    quiet_hours: null,
  });
  expect((await set({ dnd_until: null })).body.user.notifications).toEqual(NOTHING);
  expect((await show()).user.notifications).toEqual(NOTHING);
});

test('other libs get the settings of active people of the space only', async () => {
  await set({ quiet_hours: QUIET, dnd_until: '2030-01-01T12:00:00Z' });
  const [foreign, inactive] = [(await seedSpace(api.db)).owner, await space.person('member')];
  await api.call('PATCH', `/api/v1/admin/users/${inactive.id}`, {
    token: space.owner.token,
    body: { is_active: false },
  });
  const settings = await notificationSettingsOf(api.db, space.spaceId, [
    person.id,
    space.owner.id,
    foreign.id,
    inactive.id,
  ]);
  expect(settings).toEqual(
    new Map([
      [
        person.id,
        {
          dndUntil: new Date('2030-01-01T12:00:00Z'),
          quietHours: { start: '22:00', end: '07:00', timeZone: 'Europe/Berlin' },
          role: 'guest',
        },
      ],
      [space.owner.id, { dndUntil: null, quietHours: null, role: 'owner' }],
    ]),
  );
});

test('an empty change, or one of nulls, changes nothing', async () => {
  await set({ quiet_hours: QUIET });
  for (const body of [
    {},
    { notifications: {} },
    { notifications: null, display_name: null },
    { role: 'owner', is_active: false, email: 'x@example.com' },
  ]) {
    expect((await patch(body)).status).toBe(200);
  }
  expect((await show()).user).toMatchObject({
    display_name: 'Ada',
    role: 'guest',
    is_active: true,
    email: '',
    notifications: { dnd_until: null, quiet_hours: QUIET },
  });
});

test('concurrent changes of one person hold two connections while they wait for each other', async () => {
  const { answers, waited } = await api.whileRowLocked('users', person.id, () =>
    Array.from({ length: 12 }, () => set({ quiet_hours: QUIET })),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

test('accepts a new name', async () => {
  expect((await patch({ display_name: 'Eve' })).body).toMatchObject({
    ok: true,
    user: { display_name: 'Eve' },
  });
});

test.each([
  [{ display_name: '' }],
  [{ display_name: '   ' }],
  [{ display_name: 'x'.repeat(65) }],
  [{ display_name: 1 }],
  [{ notifications: 'off' }],
  [{ notifications: [] }],
  [{ notifications: true }],
  [{ notifications: { dnd_until: 'tomorrow' } }],
  [{ notifications: { dnd_until: 1893456000 } }],
  [{ notifications: { dnd_until: '' } }],
  [{ notifications: { dnd_until: '2030-01-01' } }],
  [{ notifications: { dnd_until: '2030-02-30T00:00:00Z' } }],
  [{ notifications: { quiet_hours: {} } }],
  [{ notifications: { quiet_hours: 'night' } }],
  [{ notifications: { quiet_hours: [QUIET] } }],
  [{ notifications: { quiet_hours: { start: '22:00', end: '07:00' } } }],
  [{ notifications: { quiet_hours: { ...QUIET, start: '24:00' } } }],
  [{ notifications: { quiet_hours: { ...QUIET, start: '9:00' } } }],
  [{ notifications: { quiet_hours: { ...QUIET, end: '07:60' } } }],
  [{ notifications: { quiet_hours: { ...QUIET, end: null } } }],
  [{ notifications: { quiet_hours: { ...QUIET, end: 7 } } }],
  [{ notifications: { quiet_hours: { ...QUIET, time_zone: 'Mars/Phobos' } } }],
  [{ notifications: { quiet_hours: { ...QUIET, time_zone: '+03:00' } } }],
  [{ notifications: { quiet_hours: { ...QUIET, time_zone: '' } } }],
  [{ notifications: { quiet_hours: { ...QUIET, time_zone: ['UTC'] } } }],
  [undefined],
])('%j gets 400 and changes nothing', async (body) => {
  expect(await patch(body)).toMatchObject({ status: 400, body: { ok: false, error: expect.any(String) } });
  expect((await show()).user).toMatchObject({ display_name: 'Ada', notifications: NOTHING });
});

test('returns 401 without a known token and 403 for a bot', async () => {
  for (const method of ['GET', 'PATCH']) {
    const call = async (token?: string) =>
      (await api.call(method, ME, { token, body: method === 'GET' ? undefined : {} })).status;
    expect([await call(), await call('tlu_unknown'), await call('tlb_some')]).toEqual([401, 401, 403]);
  }
});

test('concurrent callers each get themselves', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, () => space.person('member')));
  const tokens = people.flatMap(({ token }) => [token, `${token}x`]);
  const responses = await Promise.all(tokens.map((token) => api.call('GET', ME, { token })));
  expect(responses.map(({ status, body }) => (status === 200 ? body.user.id : status))).toEqual(
    people.flatMap(({ id }) => [id, 401]),
  );
});
