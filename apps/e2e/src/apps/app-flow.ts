import { createHash, randomBytes } from 'node:crypto';
import { call, expectOk } from '../tieline.js';

/** An app of a test. */
export interface TestApp {
  id: string;
  clientId: string;
}

const REDIRECT_URI = 'https://app.example/callback';

/** Creates an app as an admin. */
export async function createApp(
  api: { url: string },
  adminToken: string,
  settings: object = {},
): Promise<TestApp> {
  const { app } = await expectOk(
    call(api, 'POST', '/api/v1/admin/apps', adminToken, {
      name: 'Deploys',
      redirect_uris: [REDIRECT_URI],
      bot_scopes: ['messages:write'],
      user_scopes: ['messages:read'],
      ...settings,
    }),
  );
  return { id: app.id as string, clientId: app.client_id as string };
}

/** A request of an app that waits for a person. */
interface StartedAuthorization {
  uid: string;
  verifier: string;
  cookie: string;
}

/** Sends a browser to the authorization endpoint. */
async function start({ url }: { url: string }, { clientId }: TestApp): Promise<StartedAuthorization> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'messages:read messages:write',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const { headers } = await fetch(`${url}/oauth/authorize?${query}`, { redirect: 'manual' });
  const uid = new URL(headers.get('location') ?? '').searchParams.get('uid');
  if (!uid) throw new Error(`not asked: ${headers.get('location')}`);
  return {
    uid,
    verifier,
    cookie: headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; '),
  };
}

/** Starts an authorization. Returns the uid of the request. */
export async function startAuthorization(api: { url: string }, app: TestApp): Promise<string> {
  return (await start(api, app)).uid;
}

/** Lets a person agree. Returns the code and its verifier. */
export async function authorize(
  api: { url: string },
  app: TestApp,
  token: string,
): Promise<{ code: string; verifier: string }> {
  const { uid, verifier, cookie } = await start(api, app);
  const path = `/api/v1/client/oauth/interactions/${uid}/approve`;
  const { redirect_to } = await expectOk(call(api, 'POST', path, token));
  const { pathname, search } = new URL(redirect_to as string);
  const answered = await fetch(`${api.url}${pathname}${search}`, { redirect: 'manual', headers: { cookie } });
  const code = new URL(answered.headers.get('location') ?? '').searchParams.get('code');
  if (!code) throw new Error(`no code: ${answered.headers.get('location')}`);
  return { code, verifier };
}

/** Lets a member ask for an app. Returns the id of the request to the admins. */
export async function requestApp(
  api: { url: string },
  { app, memberToken, adminToken }: { app: TestApp; memberToken: string; adminToken: string },
): Promise<string> {
  const uid = await startAuthorization(api, app);
  await expectOk(call(api, 'POST', `/api/v1/client/oauth/interactions/${uid}/approve`, memberToken));
  const { app_requests } = await expectOk(call(api, 'GET', '/api/v1/admin/app_requests', adminToken));
  return app_requests[0].id as string;
}
