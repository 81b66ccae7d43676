import { SpacesModule } from '../spaces.module.js';
import { cookieOf, OPERATOR_TOKEN, seedSpace, startTestApi, TestBrowser } from '../testing/index.js';
import type { TestApi } from '../testing/index.js';

const SESSION = '/api/v1/operator/session';
const SPACES = '/api/v1/operator/spaces';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi([SpacesModule], { RATE_OPERATOR_FAILURES_PER_MINUTE: '20' });
});
afterAll(() => api?.close());

const signIn = (): Promise<TestBrowser> => TestBrowser.open(api, { token: OPERATOR_TOKEN }, SESSION);

test('the operator’s token opens a session of the operator, in a separate cookie', async () => {
  const response = await api.call('POST', SESSION, { body: { token: OPERATOR_TOKEN } });
  expect([response.status, Object.keys(response.body)]).toEqual([201, ['ok', 'csrf_token', 'expires_at']]);
  expect(response.headers.get('set-cookie')).toMatch(
    /^tieline_operator_session=tlo_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

test('it opens the operator endpoints; changes need its CSRF token', async () => {
  const browser = await signIn();
  expect((await browser.call('GET', SPACES)).status).toBe(200);
  const body = { name: 'By cookie' };
  const forged = await browser.call('POST', SPACES, { body, headers: { 'x-csrf-token': 'x' } });
  expect([forged.status, forged.body.code]).toEqual([403, 'csrf_failed']);
  expect((await browser.call('POST', SPACES, { body })).status).toBe(201);
  expect((await browser.call('GET', SESSION)).body.csrf_token).toBe(browser.csrfToken);
});

test('a bearer token takes precedence', async () => {
  const browser = await signIn();
  expect((await browser.call('GET', SPACES, { token: 'wrong' })).status).toBe(401);
  const { owner } = await seedSpace(api.db);
  expect((await browser.call('GET', SESSION, { token: OPERATOR_TOKEN })).body.code).toBe('no_session');
  expect((await browser.call('GET', SPACES, { token: owner.token })).status).toBe(401);
});

test('it does not open endpoints of people', async () => {
  const browser = await signIn();
  expect((await browser.call('GET', '/api/v1/client/me')).status).toBe(401);
  const cookie = browser.cookie.replace('tieline_operator_session', 'tieline_session');
  expect((await api.call('GET', '/api/v1/client/me', { headers: { cookie } })).status).toBe(401);
});

test('DELETE signs out', async () => {
  const browser = await signIn();
  const { headers } = await browser.call('DELETE', SESSION);
  expect(headers.get('set-cookie')).toMatch(/^tieline_operator_session=; Max-Age=0;/);
  expect((await browser.call('GET', SPACES)).status).toBe(401);
});

test('the operator’s sessions are listed and can be ended one by one', async () => {
  const [browser, other] = [await signIn(), await signIn()];
  const list = async (): Promise<any[]> => (await browser.call('GET', `${SESSION}s`)).body.sessions;
  const [latest, own] = await list();
  expect([latest.is_current, own.is_current, latest.ip]).toEqual([false, true, '127.0.0.1']);
  expect((await browser.call('DELETE', `${SESSION}s/${latest.id}`)).status).toBe(200);
  expect((await other.call('GET', SPACES)).status).toBe(401);
  expect((await browser.call('GET', SPACES)).status).toBe(200);
  expect((await browser.call('DELETE', `${SESSION}s/${latest.id}`)).status).toBe(404);
  const { owner } = await seedSpace(api.db);
  expect((await api.call('GET', `${SESSION}s`, { token: owner.token })).status).toBe(401);
});

test('it ends with its OPERATOR_TOKEN', async () => {
  const browser = await signIn();
  const { rows } = await api.db.pool.query('SELECT * FROM sessions WHERE user_id IS NULL');
  const other = await startTestApi([SpacesModule], { OPERATOR_TOKEN: 'another-token-of-the-operator' });
  await other.db.query(`INSERT INTO sessions SELECT * FROM json_populate_recordset(NULL::sessions, $1)`, [
    JSON.stringify(
      rows.map((row) => ({ ...row, token_hash: `\\x${(row.token_hash as Buffer).toString('hex')}` })),
    ),
  ]);
  expect((await other.call('GET', SPACES, { headers: { cookie: browser.cookie } })).status).toBe(401);
  await other.close();
});

test('concurrent sign-ins hold two connections while they wait for each other', async () => {
  const { answers, waited } = await api.whileLocked('sessions', '', () =>
    Array.from({ length: 12 }, () => api.call('POST', SESSION, { body: { token: OPERATOR_TOKEN } })),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
});

test('at most twenty are open', async () => {
  const [first] = [await signIn()];
  await Promise.all(Array.from({ length: 20 }, signIn));
  expect((await first.call('GET', SPACES)).status).toBe(401);
  expect(await api.db.query('SELECT count(*)::int AS n FROM sessions WHERE user_id IS NULL')).toEqual([
    { n: 20 },
  ]);
});

test('a form, a page of another origin, a wrong token and too many of them are refused', async () => {
  const attempt = async (token: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
    const response = await api.call('POST', SESSION, { body: { token }, headers });
    return [response.status, cookieOf(response).slice(0, 28)];
  };
  expect(await attempt(OPERATOR_TOKEN, { 'content-type': 'text/plain' })).toEqual([415, '']);
  expect(await attempt(OPERATOR_TOKEN, { origin: 'https://evil.example' })).toEqual([403, '']);
  let status = 401;
  for (let n = 0; n < 21 && status === 401; n += 1) [status] = await attempt('wrong');
  expect(status).toBe(429);
});
