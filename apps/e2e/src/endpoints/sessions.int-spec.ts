import { EventStreamClient, TEST_ENVIRONMENT } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { call, expectOk, createWorkspace, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

/*
 * A session ended at one api is refused by the other with the next request, and its streams end
 * there.
 */

const SESSION = '/api/v1/client/session';
const ME = '/api/v1/client/me';
/** Changes without a notification are found after ten seconds, and expired sessions, too. */
const SOON_MS = 8000;

interface Person {
  id: string;
  token: string;
}

interface Browser {
  cookie: string;
  csrf: string;
}

let tieline: Tieline;
let here: AppProcess, there: AppProcess;
let workspace: Workspace;
let ada: Person;

beforeAll(async () => {
  tieline = await Tieline.create();
  [here, there] = await Promise.all([tieline.start('api'), tieline.start('api')]);
  workspace = await createWorkspace(here);
});
beforeEach(async () => {
  const { user, token } = await expectOk(
    call(here, 'POST', '/api/v1/admin/users', workspace.ownerToken, { display_name: 'Ada', role: 'admin' }),
  );
  ada = { id: user.id as string, token: token as string };
});
afterAll(() => tieline?.close());

async function signIn(body: object = { token: ada.token }): Promise<Browser> {
  const response = await fetch(`${here.url}${SESSION}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { csrf_token: csrf } = (await response.json()) as { csrf_token: string };
  return { cookie: (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '', csrf };
}

const by = async (
  api: AppProcess,
  { cookie, csrf }: Browser,
  method: string,
  path: string,
): Promise<number> =>
  (await fetch(`${api.url}${path}`, { method, headers: { cookie, 'x-csrf-token': csrf } })).status;
const stream = ({ cookie }: Browser): Promise<EventStreamClient> =>
  EventStreamClient.open(`${there.url}/api/v1/client/stream`, undefined, { cookie });
const owner = (method: string, path: string, body?: object): Promise<Record<string, any>> =>
  expectOk(call(here, method, `/api/v1/admin/users/${ada.id}${path}`, workspace.ownerToken, body));

test('a session cookie alone gives access to the stream and the history', async () => {
  const browser = await signIn({ token: workspace.ownerToken });
  const opened = await stream(browser);
  expect(opened.status).toBe(200);
  const [channel] = workspace.channels as [string];
  expect(await by(there, browser, 'GET', `/api/v1/channels/${channel}/messages`)).toBe(200);
  expect(await by(there, browser, 'GET', '/api/v1/bot/me')).toBe(401);
  const post = { method: 'POST', body: JSON.stringify({ text: 'hello' }) };
  const path = `${there.url}/api/v1/client/conversations/${channel}/messages`;
  const headers = { cookie: browser.cookie, 'content-type': 'application/json' };
  expect((await fetch(path, { ...post, headers })).status).toBe(403);
  expect((await fetch(path, { ...post, headers: { ...headers, 'x-csrf-token': browser.csrf } })).status).toBe(
    200,
  );
  opened.close();
});

const ends: [string, (browser: Browser) => Promise<unknown>][] = [
  ['signing out', (browser) => by(here, browser, 'DELETE', SESSION)],
  ['a new token, by an admin', () => owner('POST', '/regenerate_token')],
  [
    'a new token, by the operator',
    () =>
      expectOk(
        call(
          here,
          'POST',
          `/api/v1/operator/spaces/${workspace.spaceId}/users/${ada.id}/regenerate_token`,
          TEST_ENVIRONMENT.OPERATOR_TOKEN,
        ),
      ),
  ],
  ['deactivation', () => owner('PATCH', '', { is_active: false })],
  ['another role', () => owner('PATCH', '', { role: 'member' })],
  [
    'twenty newer ones',
    async () => {
      for (let n = 0; n < 20; n += 1) await signIn();
    },
  ],
];

test.each(ends)('%s ends the session and its stream in every process', async (_, end) => {
  const [browser, other] = [await signIn(), await signIn({ token: workspace.ownerToken })];
  const [opened, kept] = [await stream(browser), await stream(other)];
  expect(await by(there, browser, 'GET', ME)).toBe(200);
  await end(browser);
  expect(await by(there, browser, 'GET', ME)).toBe(401);
  await opened.until(({ ended }) => ended, SOON_MS);
  expect([await by(there, other, 'GET', ME), kept.ended]).toEqual([200, false]);
  kept.close();
});

test('an open stream does not extend its session, which ends after twelve hours', async () => {
  const browser = await signIn();
  const opened = await stream(browser);
  await tieline.sql.query('UPDATE sessions SET expires_at = now() WHERE user_id = $1', [ada.id]);
  await opened.until(({ ended }) => ended, 60_000);
  expect(await by(there, browser, 'GET', ME)).toBe(401);
});

test('ending one session leaves the person’s other stream open', async () => {
  const [browser, other] = [await signIn(), await signIn()];
  const [opened, kept] = [await stream(browser), await stream(other)];
  await by(here, browser, 'DELETE', SESSION);
  await opened.until(({ ended }) => ended, SOON_MS);
  expect([await by(there, other, 'GET', ME), kept.ended]).toEqual([200, false]);
  kept.close();
});

test('a role change ends streams opened with the token, so that access is checked again', async () => {
  const opened = await EventStreamClient.open(`${there.url}/api/v1/client/stream`, ada.token);
  await owner('PATCH', '', { role: 'guest' });
  await opened.until(({ ended }) => ended, SOON_MS);
  expect((await call(there, 'GET', ME, ada.token)).status).toBe(200);
});

test('an invite created at one api signs in at the other once', async () => {
  const { url } = await owner('POST', '/invite');
  const invite = new URL(url as string).hash.slice('#invite='.length);
  const attempt = async (api: AppProcess): Promise<number> =>
    (
      await fetch(`${api.url}${SESSION}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ invite }),
      })
    ).status;
  expect([await attempt(there), await attempt(here)]).toEqual([200, 401]);
});

test('logs contain no cookies or invites', async () => {
  const { url } = await owner('POST', '/invite');
  const invite = new URL(url as string).hash.slice('#invite='.length);
  const browser = await signIn({ invite });
  await by(there, browser, 'GET', ME);
  await signIn({ invite });
  const logs = here.output() + there.output();
  for (const secret of [invite, browser.cookie.split('=')[1] as string, browser.csrf])
    expect(logs).not.toContain(secret);
});
