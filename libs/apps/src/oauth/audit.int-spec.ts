import type { TestApi } from '@tieline/spaces/testing';
import { OAuthFixture, startAppsApi } from '../testing/oauth-fixture.js';

let api: TestApi;
let oauth: OAuthFixture;
beforeAll(async () => {
  api = await startAppsApi();
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
});
afterAll(() => api?.close());

const logOf = async (action: string) =>
  (await oauth.admin('GET', '/audit_log?limit=200')).body.entries.filter(
    (entry: { action: string }) => entry.action === action,
  );

test('a refused refresh is in the audit log with its reason, once an hour', async () => {
  const app = await oauth.app();
  const { refresh_token } = await oauth.install(app);
  for (let n = 0; n < 2; n += 1)
    expect((await oauth.refresh(app, refresh_token, { scope: 'users:read' })).status).toBe(400);
  expect(await logOf('app.refresh_refused')).toMatchObject([
    {
      actor_id: oauth.space.owner.id,
      object_type: 'app_authorization',
      changes: {
        client_id: { from: null, to: app.clientId },
        reason: { from: null, to: expect.stringMatching(/scope/) },
      },
    },
  ]);
});

test('a refresh by another app is in the audit log', async () => {
  const app = await oauth.app();
  const { refresh_token } = await oauth.install(app);
  await oauth.refresh(await oauth.app(), refresh_token);
  expect(await logOf('app.refresh_refused')).toMatchObject([
    { changes: { reason: { to: 'client mismatch' } } },
  ]);
});

test('a refresh token that is used again revokes the grant, and the log says why', async () => {
  const app = await oauth.app();
  const { refresh_token } = await oauth.install(app);
  await oauth.refresh(app, refresh_token);
  await oauth.refresh(app, refresh_token);
  expect(await logOf('app.authorization_revoked')).toMatchObject([
    { actor_type: 'system', changes: { reason: { to: 'a code or refresh token was used again' } } },
  ]);
});

test('a refresh with an unknown token is not recorded anywhere', async () => {
  const app = await oauth.app();
  await oauth.install(app);
  await oauth.refresh(app, 'tlf_unknown');
  expect(await logOf('app.refresh_refused')).toEqual([]);
});

test('a revocation by the app is in the audit log', async () => {
  const app = await oauth.app();
  const { refresh_token: token } = await oauth.install(app);
  await oauth.send('/oauth/revoke', {
    form: { client_id: app.clientId, client_secret: app.clientSecret, token },
  });
  expect(await logOf('app.authorization_revoked')).toMatchObject([
    { changes: { reason: { to: 'the app revoked it' } } },
  ]);
});
