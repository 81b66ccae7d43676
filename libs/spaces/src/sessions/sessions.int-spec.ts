import { eventually } from '@tieline/testing';
import { SpacesAdminModule } from '../spaces-admin.module.js';
import { SpacesModule } from '../spaces.module.js';
import { NoPlacesModule, cookieOf, seedSpace, startTestApi, TestBrowser } from '../testing/index.js';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '../testing/index.js';

const SESSION = '/api/v1/client/session';
const SESSIONS = '/api/v1/client/sessions';
const ME = '/api/v1/client/me';
const HOURS_12 = 43_200;

let api: TestApi;
let space: SeededSpace;
let ada: SeededPerson;

beforeAll(async () => {
  api = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule]);
  space = await seedSpace(api.db);
});
beforeEach(async () => {
  ada = await space.person('admin');
});
afterAll(() => api?.close());

const signIn = (token = ada.token): Promise<TestBrowser> => TestBrowser.open(api, { token });
const post = (body: object, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  api.call('POST', SESSION, { body, headers });
const status = async (response: Promise<TestAnswer>): Promise<number> => (await response).status;
/** Moves all sessions into the past by this interval. */
const wait = (interval: string): Promise<unknown> =>
  api.db.query(
    `UPDATE sessions SET last_used_at = last_used_at - interval '${interval}', expires_at = expires_at - interval '${interval}', created_at = created_at - interval '${interval}'`,
  );

describe('signing in', () => {
  test('a person’s token opens a session: a cookie that scripts and other sites cannot use, and the CSRF token', async () => {
    const { status: code, headers, body } = await post({ token: ada.token });
    expect([code, body.user.id, Object.keys(body)]).toEqual([
      200,
      ada.id,
      ['ok', 'csrf_token', 'expires_at', 'user'],
    ]);
    expect(headers.get('set-cookie')).toMatch(
      /^tieline_session=tls_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect((Date.parse(body.expires_at) - Date.now()) / 1000).toBeCloseTo(HOURS_12, -2);
  });

  test('the cookie is sent only over TLS if PUBLIC_URL is https', async () => {
    const secure = await startTestApi([SpacesModule], { PUBLIC_URL: 'https://tieline.example' });
    const { owner } = await seedSpace(secure.db);
    const { headers } = await secure.call('POST', SESSION, { body: { token: owner.token } });
    expect(headers.get('set-cookie')).toMatch(/^__Host-tieline_session=tls_.*; Path=\/;.*; Secure(;|$)/);
    const cookie = cookieOf({ headers });
    expect((await secure.call('GET', ME, { headers: { cookie } })).status).toBe(200);
    await secure.close();
  });

  test('with https, a cookie that another host of the domain may have set is refused', async () => {
    const secure = await startTestApi([SpacesModule], { PUBLIC_URL: 'https://tieline.example' });
    const { owner } = await seedSpace(secure.db);
    const cookie = cookieOf(await secure.call('POST', SESSION, { body: { token: owner.token } }));
    const planted = cookie.replace('__Host-', '');
    const response = await secure.call('GET', ME, { headers: { cookie: planted } });
    expect([response.status, response.body.code]).toEqual([401, 'missing_authorization']);
    expect((await secure.call('GET', ME, { headers: { cookie: `${planted}; ${cookie}` } })).status).toBe(200);
    await secure.close();
  });

  test('is in the audit log, with its address', async () => {
    const own = await space.person('member');
    await signIn(own.token);
    const path = `/api/v1/admin/audit_log?actor_id=${own.id}`;
    const { entries } = (await api.call('GET', path, { token: space.owner.token })).body;
    expect(entries).toEqual([
      expect.objectContaining({ action: 'session.opened', object_type: 'session', ip: '127.0.0.1' }),
    ]);
  });

  test('an invite shows its person without being used up', async () => {
    const path = `/api/v1/admin/users/${ada.id}/invite`;
    const made = await api.call('POST', path, { token: space.owner.token });
    const [, invite] = (made.body.url as string).split('#invite=');
    const show = (): Promise<TestAnswer> => api.call('POST', `${SESSION}/invite`, { body: { invite } });
    const { status: code, body } = await show();
    expect([code, body]).toEqual([
      200,
      {
        ok: true,
        display_name: expect.any(String),
        space_name: expect.any(String),
        expires_at: made.body.expires_at,
      },
    ]);
    expect(await status(post({ invite: invite as string }))).toBe(200);
    const used = await show();
    expect([used.status, used.body.code]).toEqual([401, 'invalid_invite']);
  });

  test('each sign-in gets a new token, whatever cookie it came with, and no token is stored', async () => {
    const first = await signIn();
    const planted = `tieline_session=tls_${'A'.repeat(43)}`;
    const cookies = [
      cookieOf(await post({ token: ada.token }, { cookie: first.cookie })),
      cookieOf(await post({ token: ada.token }, { cookie: planted })),
    ];
    expect(new Set([first.cookie, planted, ...cookies]).size).toBe(4);
    expect(await status(api.call('GET', ME, { headers: { cookie: planted } }))).toBe(401);
    const rows = JSON.stringify(await api.db.query('SELECT *, token_hash::text AS hex FROM sessions'));
    for (const cookie of cookies) expect(rows).not.toContain(cookie.split('=')[1]);
    const [stored] = (await api.db.query(
      'SELECT octet_length(token_hash) AS bytes FROM sessions LIMIT 1',
    )) as object[];
    expect(stored).toEqual({ bytes: 32 });
  });

  test.each([
    ['neither', {}],
    ['both', { token: 'x', invite: 'y' }],
    ['empty ones', { token: '', invite: null }],
    ['no text', { token: 1 }],
  ])('%s of token and invite gets 400', async (_, body) => {
    expect((await post(body)).body).toMatchObject({ ok: false, code: 'invalid_field' });
  });

  test('an unknown token gets 401 and sets no cookie', async () => {
    const response = await post({ token: 'tlu_unknown' });
    expect([response.status, response.body.code, cookieOf(response)]).toEqual([401, 'invalid_token', '']);
  });

  test('concurrent sign-ins with one token hold two connections while they wait for each other', async () => {
    const { answers, waited } = await api.whileRowLocked('users', ada.id, () =>
      Array.from({ length: 12 }, () => post({ token: ada.token })),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status: code }) => code)).toEqual(Array(12).fill(200));
  });

  test('an Authorization header is ignored', async () => {
    const other = await space.person('member');
    const { body } = await api.call('POST', SESSION, { token: other.token, body: { token: ada.token } });
    expect(body.user.id).toBe(ada.id);
  });

  test('unknown fields of the body are listed', async () => {
    expect((await post({ token: ada.token, remember: true })).body.warnings).toEqual([
      'unknown field: remember',
    ]);
  });

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', ''])(
    'a request that a form of another site can send is 415: %j',
    async (type) => {
      const response = await post({ token: ada.token }, { 'content-type': type });
      expect([response.status, response.body.code, cookieOf(response)]).toEqual([
        415,
        'unsupported_media_type',
        '',
      ]);
    },
  );

  test('a page of another origin cannot sign in, one of PUBLIC_URL or of this host can', async () => {
    const from = (origin: string): Promise<TestAnswer> => post({ token: ada.token }, { origin });
    for (const foreign of ['https://evil.example', 'null', 'http://localhost.evil.example:3000', 'x'])
      expect((await from(foreign)).body.code).toBe('foreign_origin');
    expect((await post({ token: ada.token }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    for (const own of ['http://localhost:3000', api.url]) expect((await from(own)).status).toBe(200);
  });
});

describe('a request with the cookie', () => {
  test('acts as the person on client, channel and admin endpoints', async () => {
    const browser = await signIn();
    expect((await browser.call('GET', ME)).body.user.id).toBe(ada.id);
    const { user } = (await browser.call('POST', '/api/v1/admin/users', { body: { display_name: 'New' } }))
      .body;
    expect(user.display_name).toBe('New');
    expect(
      await status((await signIn((await space.person('member')).token)).call('GET', '/api/v1/admin/users')),
    ).toBe(403);
  });

  test('needs the session’s CSRF token to change something, but not to read', async () => {
    const [browser, other] = [await signIn(), await signIn()];
    const rename = (token: string): Promise<TestAnswer> =>
      browser.call('PATCH', ME, { body: { display_name: 'X' }, headers: { 'x-csrf-token': token } });
    for (const wrong of ['', 'x', other.csrfToken, browser.csrfToken.slice(1)]) {
      const { status: code, body } = await rename(wrong);
      expect([code, body.code]).toEqual([403, 'csrf_failed']);
    }
    expect(await status(browser.call('GET', ME, { headers: { 'x-csrf-token': '' } }))).toBe(200);
    expect(await status(rename(browser.csrfToken))).toBe(200);
  });

  test('with a bearer token acts as its owner, valid or not, and needs no CSRF token', async () => {
    const browser = await signIn();
    const other = await space.person('member');
    const headers = { 'x-csrf-token': '' };
    const renamed = await browser.call('PATCH', ME, {
      ...{ token: other.token, headers, body: { display_name: 'Other' } },
    });
    expect(renamed.body.user).toMatchObject({ id: other.id, display_name: 'Other' });
    expect(await status(browser.call('GET', ME, { token: 'tlu_unknown' }))).toBe(401);
  });

  test.each([
    ['none', undefined, 'missing_authorization'],
    ['another name', 'session=x', 'missing_authorization'],
    ['malformed', 'tieline_session=tls_short', 'missing_authorization'],
    ['unknown', `tieline_session=tls_${'A'.repeat(43)}`, 'invalid_token'],
  ])('is 401 with a cookie that is %s', async (_, cookie, code) => {
    const response = await api.call('GET', ME, { headers: cookie === undefined ? {} : { cookie } });
    expect([response.status, response.body.code]).toEqual([401, code]);
  });

  test('is not a bearer token, and a person’s token is not a session', async () => {
    const browser = await signIn();
    const token = browser.cookie.split('=')[1];
    expect(await status(api.call('GET', ME, { token }))).toBe(401);
    const cookie = `tieline_session=${ada.token}`;
    expect(await status(api.call('GET', ME, { headers: { cookie } }))).toBe(401);
  });

  test('does not open endpoints of the operator', async () => {
    const browser = await signIn(space.owner.token);
    expect(await status(browser.call('GET', '/api/v1/operator/spaces'))).toBe(401);
    const cookie = browser.cookie.replace('tieline_session', 'tieline_operator_session');
    expect(await status(api.call('GET', '/api/v1/operator/spaces', { headers: { cookie } }))).toBe(401);
  });
});

describe('the twelve hours', () => {
  test('begin again with each request, also for the cookie', async () => {
    const browser = await signIn();
    await wait('11 hours 59 minutes');
    const { headers } = await browser.call('GET', ME);
    expect(headers.get('set-cookie')).toMatch(
      `${browser.cookie}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict`,
    );
    await wait('11 hours 59 minutes');
    const { body } = await browser.call('GET', SESSION);
    expect((Date.parse(body.expires_at) - Date.now()) / 1000).toBeCloseTo(HOURS_12, -2);
  });

  test('do not begin again within a second of the last request', async () => {
    const browser = await signIn();
    await wait('2 seconds');
    expect((await browser.call('GET', ME)).headers.get('set-cookie')).not.toBeNull();
    await wait('-1 minute'); // so that a slow machine does not take longer than the second
    expect((await browser.call('GET', ME)).headers.get('set-cookie')).toBeNull();
  });

  test('end thirty days after the start, however often the session is used', async () => {
    const browser = await signIn();
    for (let half = 0; half < 59; half += 1) {
      await api.db.query(
        `UPDATE sessions SET last_used_at = last_used_at - interval '12 hours', created_at = created_at - interval '12 hours'`,
      );
      if (half > 55) expect(await status(browser.call('GET', ME))).toBe(200);
    }
    const { body } = await browser.call('GET', SESSION);
    expect((Date.parse(body.expires_at) - Date.now()) / 1000).toBeCloseTo(HOURS_12, -2);
    await api.db.query(
      `UPDATE sessions SET last_used_at = last_used_at - interval '6 hours', created_at = created_at - interval '6 hours'`,
    );
    await browser.call('GET', ME);
    const last = await browser.call('GET', SESSION);
    expect((Date.parse(last.body.expires_at) - Date.now()) / 1000).toBeCloseTo(HOURS_12 / 2, -2);
    await wait('6 hours');
    expect(await status(browser.call('GET', ME))).toBe(401);
  });

  test('end the session after twelve hours without a request', async () => {
    const browser = await signIn();
    await wait('12 hours');
    expect(await status(browser.call('GET', ME))).toBe(401);
    expect(await status(browser.call('GET', SESSION))).toBe(401);
  });
});

describe('sessions', () => {
  test('GET returns the answer of the sign-in, with the same CSRF token', async () => {
    const browser = await signIn();
    const { body } = await browser.call('GET', SESSION);
    expect(body).toEqual({
      ok: true,
      user: (await browser.call('GET', ME)).body.user,
      csrf_token: browser.csrfToken,
      expires_at: expect.any(String),
    });
  });

  test('a bearer token has no session and gets 404', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await api.call(method, SESSION, { token: ada.token })).body.code).toBe('no_session');
  });

  test('DELETE signs out: only this session, and the cookie is removed', async () => {
    const [browser, other] = [await signIn(), await signIn()];
    expect(await status(browser.call('DELETE', SESSION, { headers: { 'x-csrf-token': '' } }))).toBe(403);
    const { headers } = await browser.call('DELETE', SESSION);
    expect(headers.get('set-cookie')).toBe('tieline_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
    expect(await status(browser.call('GET', ME))).toBe(401);
    expect(await status(other.call('GET', ME))).toBe(200);
  });

  test('the list shows the person’s own, newest first, and marks the current one', async () => {
    const first = await TestBrowser.open(api, { token: ada.token });
    await signIn((await space.person('member')).token);
    await post({ token: ada.token }, { 'user-agent': 'Browser/1' });
    const { sessions } = (await first.call('GET', SESSIONS)).body;
    expect(sessions.map((one: any) => [one.user_agent, one.is_current])).toEqual([
      ['Browser/1', false],
      ['node', true],
    ]);
    expect(Object.keys(sessions[0]).sort()).toEqual([
      'created_at',
      'expires_at',
      'id',
      'ip',
      'is_current',
      'last_used_at',
      'user_agent',
    ]);
    const byToken = await api.call('GET', SESSIONS, { token: ada.token });
    expect(byToken.body.sessions.map((one: any) => one.is_current)).toEqual([false, false]);
  });

  test('people can end their own sessions but no others', async () => {
    const [browser, stranger] = [await signIn(), await signIn((await space.person('owner')).token)];
    const [own] = (await browser.call('GET', SESSIONS)).body.sessions;
    expect(await status(stranger.call('DELETE', `${SESSIONS}/${own.id}`))).toBe(404);
    expect(await status(browser.call('GET', ME))).toBe(200);
    expect(await status(api.call('DELETE', `${SESSIONS}/${own.id}`, { token: ada.token }))).toBe(200);
    expect(await status(browser.call('GET', ME))).toBe(401);
    expect(await status(api.call('DELETE', `${SESSIONS}/${own.id}`, { token: ada.token }))).toBe(404);
  });

  test('the 21st replaces the oldest one of this person', async () => {
    const other = await signIn((await space.person('member')).token);
    const browsers: TestBrowser[] = [];
    for (let n = 0; n < 21; n += 1) browsers.push(await signIn());
    const [first, second] = browsers as [TestBrowser, TestBrowser];
    expect(await status(first.call('GET', ME))).toBe(401);
    expect((await second.call('GET', SESSIONS)).body.sessions).toHaveLength(20);
    expect(await status(other.call('GET', ME))).toBe(200);
  });

  test('twenty-five concurrent sign-ins leave twenty', async () => {
    await Promise.all(Array.from({ length: 25 }, () => signIn()));
    expect((await api.call('GET', SESSIONS, { token: ada.token })).body.sessions).toHaveLength(20);
  });
});

test('every process is notified of an ended session, so that its streams end immediately', async () => {
  const told = async (): Promise<number> => {
    const { rows } = await api.db.pool.query('SELECT 1 FROM access_changes WHERE subject_id = $1', [ada.id]);
    return rows.length;
  };
  const before = await told();
  await (await signIn()).call('DELETE', SESSION);
  expect((await told()) - before).toBe(1);
  for (let n = 0; n < 20; n += 1) await signIn();
  expect((await told()) - before).toBe(1);
  await signIn();
  expect((await told()) - before).toBe(2);
});

describe('all sessions of a person', () => {
  const changes: [string, string, object | undefined][] = [
    ['a new token', 'regenerate_token', undefined],
    ['deactivation', '', { is_active: false }],
    ['another role', '', { role: 'member' }],
  ];

  test.each(changes)('are ended by %s', async (_, action, body) => {
    const [browser, other] = [await signIn(), await signIn(space.owner.token)];
    const path = `/api/v1/admin/users/${ada.id}${action && `/${action}`}`;
    await api.call(action ? 'POST' : 'PATCH', path, { token: space.owner.token, body });
    expect(await status(browser.call('GET', ME))).toBe(401);
    expect(await status(other.call('GET', ME))).toBe(200);
    const { rows } = await api.db.pool.query('SELECT 1 FROM sessions WHERE user_id = $1', [ada.id]);
    expect(rows).toEqual([]);
  });

  test('are kept when the person gets another name', async () => {
    const browser = await signIn();
    const path = `/api/v1/admin/users/${ada.id}`;
    await api.call('PATCH', path, { token: space.owner.token, body: { display_name: 'Ada L.' } });
    expect(await status(browser.call('GET', ME))).toBe(200);
  });

  test('a sign-in that waits for a new token of the person is refused', async () => {
    const tx = await api.db.pool.connect();
    await tx.query('BEGIN');
    await tx.query('UPDATE users SET token_hash = $2 WHERE id = $1', [ada.id, Buffer.from(ada.id)]);
    const waiting = post({ token: ada.token });
    const blocked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => expect(await api.db.query(blocked)).toHaveLength(1));
    await tx.query('COMMIT');
    tx.release();
    expect(await status(waiting)).toBe(401);
  });

  test('are refused while the space is disabled', async () => {
    const off = await seedSpace(api.db, { name: 'Off' });
    const browser = await signIn(off.owner.token);
    await api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [off.spaceId]);
    expect(await status(browser.call('GET', ME))).toBe(401);
    expect(await status(post({ token: off.owner.token }))).toBe(401);
  });
});

describe('guessing tokens', () => {
  let guarded: TestApi;
  beforeEach(async () => {
    guarded = await startTestApi([SpacesModule, SpacesAdminModule, NoPlacesModule], {
      RATE_SIGN_IN_FAILURES_PER_MINUTE: '12',
    });
  });
  afterEach(() => guarded.close());
  const guess = async (body: object): Promise<number> =>
    (await guarded.call('POST', SESSION, { body })).status;

  test('after too many failures an address gets 429, but a valid token or invite is accepted', async () => {
    const { owner } = await seedSpace(guarded.db);
    for (let n = 0; n < 12; n += 1) expect(await guess({ token: `tlu_${n}` })).toBe(401);
    expect(await guess({ token: 'tlu_12' })).toBe(429);
    expect(await guess({ invite: 'tli_12' })).toBe(429);
    expect(await guess({ token: owner.token })).toBe(200);
    const path = `/api/v1/admin/users/${owner.id}/invite`;
    const { body } = await guarded.call('POST', path, { token: owner.token });
    const invite = (body.url as string).split('#invite=')[1];
    expect(await guess({ invite })).toBe(200);
    expect(await guess({ invite })).toBe(429);
  });

  test('an invite gets 429 after ten failures, another does not', async () => {
    for (let n = 0; n < 10; n += 1) expect(await guess({ invite: 'tli_x' })).toBe(401);
    expect(await guess({ invite: 'tli_x' })).toBe(429);
    expect(await guess({ invite: 'tli_y' })).toBe(401);
  });
});
