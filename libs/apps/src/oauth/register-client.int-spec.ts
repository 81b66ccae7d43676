import type { TestApi } from '@tieline/spaces/testing';
import { ISSUER, OAuthFixture, REDIRECT_URI, startAppsApi } from '../testing/oauth-fixture.js';

let api: TestApi;
let oauth: OAuthFixture;
beforeAll(async () => {
  api = await startAppsApi({ OAUTH_DYNAMIC_REGISTRATION: 'true' });
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
});
afterAll(() => api?.close());

const register = async (metadata: unknown, at = api) => {
  const response = await fetch(`${at.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: response.status, body: (await response.json()) as any };
};
const METADATA = { client_name: 'An assistant', redirect_uris: [REDIRECT_URI] };

test('a client registers itself and gets tokens of a person, and no bot', async () => {
  const { body: server } = await oauth.send('/.well-known/oauth-authorization-server');
  expect(server.registration_endpoint).toBe(`${ISSUER}/oauth/register`);
  const { status, body } = await register(METADATA);
  expect([status, body]).toMatchObject([
    201,
    { ...METADATA, token_endpoint_auth_method: 'none', client_id_issued_at: expect.any(Number) },
  ]);
  expect(body).not.toHaveProperty('client_secret');
  const app = { id: '', clientId: body.client_id, clientSecret: '', scope: 'conversations:read' };
  const flow = await oauth.start(app);
  expect((await oauth.person('GET', `/oauth/interactions/${flow.uid}`)).body.interaction).toMatchObject({
    app: { name: 'An assistant', owner: '' },
    bot_scopes: [],
  });
  const tokens = await oauth.install(app);
  expect(tokens).not.toHaveProperty('bot');
  expect(await oauth.asPerson(tokens.access_token)).toBe(200);
  expect((await oauth.refresh(app, tokens.refresh_token)).status).toBe(200);
});

test('a registered client may use only its redirect URIs', async () => {
  const { body } = await register(METADATA);
  const client = { clientId: body.client_id, scope: 'messages:read' };
  const answer = await oauth.authorize(client, { redirect_uri: 'https://evil.example/' });
  expect([answer.status, answer.location]).toEqual([400, undefined]);
});

test.each([
  [{ ...METADATA, redirect_uris: ['http://app.example/'] }, 'invalid_redirect_uri'],
  [{ ...METADATA, redirect_uris: ['https://a@app.example/'] }, 'invalid_redirect_uri'],
  [{ client_name: 'None' }, 'invalid_redirect_uri'],
  [{ ...METADATA, token_endpoint_auth_method: 'client_secret_post' }, 'invalid_client_metadata'],
  [{ ...METADATA, client_name: 'two\nlines' }, 'invalid_client_metadata'],
  [{ ...METADATA, client_name: 'x'.repeat(65) }, 'invalid_client_metadata'],
])('%j is refused', async (metadata, error) => {
  expect(await register(metadata)).toMatchObject({ status: 400, body: { error } });
});

test('an address registers at most ten clients per minute', async () => {
  const fresh = await startAppsApi({ OAUTH_DYNAMIC_REGISTRATION: 'true' });
  try {
    for (let n = 0; n < 10; n += 1) expect((await register(METADATA, fresh)).status).toBe(201);
    expect((await register(METADATA, fresh)).status).toBe(429);
  } finally {
    await fresh.close();
  }
});

test('at most 10,000 clients are registered at a time', async () => {
  await api.db.query(
    `INSERT INTO oauth_records (id_hash, kind, payload, expires_at)
     SELECT sha256(n::text::bytea), 'Client', '{}', now() + interval '1 day' FROM generate_series(1, 10000) n`,
  );
  expect(await register(METADATA)).toMatchObject({
    status: 503,
    body: { error: 'temporarily_unavailable' },
  });
});

test('without the setting nobody registers, and registered clients are unknown', async () => {
  const plain = await startAppsApi();
  try {
    expect((await register(METADATA, plain)).status).toBe(404);
    const other = await OAuthFixture.of(plain);
    const { body } = await other.send('/.well-known/oauth-authorization-server');
    expect(body).not.toHaveProperty('registration_endpoint');
    expect((await other.authorize({ clientId: 'reg_unknown', scope: 'messages:read' })).status).toBe(400);
  } finally {
    await plain.close();
  }
});
