import type { TestApi } from '@tieline/spaces/testing';
import { ISSUER, OAuthFixture, startAppsApi } from '../testing/oauth-fixture.js';

let api: TestApi;
let oauth: OAuthFixture;
beforeAll(async () => {
  api = await startAppsApi();
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
});
afterAll(() => api?.close());

test.each([
  ['another host', 'https://evil.example/callback'],
  ['a user name', 'https://app.example@evil.example/callback'],
  ['another path', 'https://app.example/callback/../evil'],
  ['a query', 'https://app.example/callback?next=https://evil.example'],
  ['a longer host', 'https://app.example.evil.example/callback'],
  ['plain http', 'http://app.example/callback'],
  ['loopback', 'http://127.0.0.1/callback'],
])('a redirect URI with %s gets no redirect', async (_, redirect_uri) => {
  const { status, location, body } = await oauth.authorize(await oauth.app(), { redirect_uri });
  expect([status, location]).toEqual([400, undefined]);
  expect(body).toContain('invalid_redirect_uri');
});

test.each([
  ['no challenge', { code_challenge: '', code_challenge_method: '' }],
  ['plain', { code_challenge_method: 'plain' }],
  ['no method', { code_challenge_method: '' }],
  ['a token in the address', { response_type: 'token' }],
  ['a form', { response_mode: 'form_post' }],
  ['a fragment', { response_mode: 'fragment' }],
])('%s is refused', async (_, more) => {
  const { location, body, status } = await oauth.authorize(await oauth.app(), more);
  const page = status === 400 ? String(body) : '';
  const fragment = new URLSearchParams(location?.hash.slice(1));
  expect(location?.searchParams.get('error') ?? fragment.get('error') ?? page).toMatch(
    /invalid_|unsupported_|access_denied/,
  );
  expect(location?.searchParams.get('code') ?? null).toBeNull();
});

test('a scope that the app does not declare is left out; with no other, nothing can be granted', async () => {
  const app = await oauth.app({ bot_scopes: [], user_scopes: ['messages:read'] });
  const { scope } = await oauth.install(app, undefined, { scope: 'messages:read messages:write everything' });
  expect(scope).toBe('messages:read');
  const { body } = await oauth.approve(await oauth.start(app, { scope: 'search' }));
  expect(body.code).toBe('nothing_to_grant');
});

test('a code needs the verifier, the redirect URI and the client of its request', async () => {
  const [app, other] = [await oauth.app(), await oauth.app()];
  const { code, verifier } = await oauth.code(app);
  const form = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/callback' };
  for (const [client, wrong] of [
    [app, { ...form }],
    [app, { ...form, code_verifier: 'x'.repeat(43) }],
    [app, { ...form, code_verifier: verifier, redirect_uri: 'https://app.example/' }],
    [other, { ...form, code_verifier: verifier }],
  ] as const)
    expect((await oauth.token(client, wrong)).body.error).toBe('invalid_grant');
  expect((await oauth.exchange(app, { code, verifier })).status).toBe(200);
});

test('a wrong client secret is refused, in the body and in the header', async () => {
  const app = await oauth.app();
  const code = await oauth.code(app);
  const wrong = { ...app, clientSecret: `tlk_${'x'.repeat(43)}` };
  expect((await oauth.exchange(wrong, code)).status).toBe(401);
  expect((await oauth.exchange({ ...app, clientSecret: '' }, code)).status).toBe(401);
  expect((await oauth.exchange({ ...app, clientSecret: app.clientId }, code)).status).toBe(401);
  const header = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${app.clientId}:${secret}`).toString('base64')}`,
  });
  const form = {
    grant_type: 'authorization_code',
    code: code.code,
    code_verifier: code.verifier,
    redirect_uri: 'https://app.example/callback',
  };
  expect((await oauth.send('/oauth/token', { form, headers: header('wrong') })).status).toBe(401);
  const ofAnother = { ...form, client_id: (await oauth.app()).clientId };
  expect(
    (await oauth.send('/oauth/token', { form: ofAnother, headers: header(app.clientSecret) })).status,
  ).toBe(401);
  expect((await oauth.send('/oauth/token', { form, headers: header(app.clientSecret) })).status).toBe(200);
});

test('an answer works only in the browser that began the request', async () => {
  const app = await oauth.app();
  const flow = await oauth.start(app);
  const { body } = await oauth.approve(flow);
  const [withoutCookies] = [await oauth.resume(body.redirect_to, '')];
  expect([withoutCookies.status, withoutCookies.location]).toEqual([400, undefined]);
  const other = await oauth.start(app);
  expect((await oauth.resume(body.redirect_to, other.cookies)).location).toBeUndefined();
  expect((await oauth.resume(body.redirect_to, flow.cookies)).status).toBe(303);
});

test('who began a request cannot use the answer of another person', async () => {
  const flow = await oauth.start(await oauth.app());
  await oauth.approve(flow);
  const stolen = `${ISSUER}/oauth/authorize/${flow.uid}`;
  for (const address of [stolen, `${stolen}?ticket=`, `${stolen}?ticket=guess`]) {
    const { status, location } = await oauth.resume(address, flow.cookies);
    expect([status, location]).toEqual([400, undefined]);
  }
});

test('the ticket of one request does not continue another', async () => {
  const app = await oauth.app();
  const [victims, own] = [await oauth.start(app), await oauth.start(app)];
  await oauth.approve(victims);
  const { body } = await oauth.approve(own);
  for (const cookies of [
    victims.cookies,
    `${victims.cookies}; ${own.cookies}`,
    `${own.cookies}; ${victims.cookies}`,
  ]) {
    const { status, location } = await oauth.resume(body.redirect_to, cookies);
    expect([status, location]).toEqual([400, undefined]);
  }
});

test('a request is answered once', async () => {
  const flow = await oauth.start(await oauth.app());
  const answers = await Promise.all([1, 2, 3].map(() => oauth.approve(flow)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect((await oauth.approve({ uid: 'unknown' })).status).toBe(404);
});

test('a token of an app cannot agree to another app', async () => {
  const app = await oauth.app({ bot_scopes: [] });
  const { access_token } = await oauth.install(app);
  const flow = await oauth.start(app);
  const { status, body } = await oauth.approve(flow, access_token);
  expect([status, body.code]).toEqual([403, 'insufficient_scope']);
});

test('a resource of another server is refused', async () => {
  const app = await oauth.app();
  for (const resource of ['https://evil.example/mcp', `${ISSUER}.evil.example/mcp`, 'mcp'])
    expect((await oauth.authorize(app, { resource })).status).toBe(400);
  expect((await oauth.authorize(app, { resource: `${ISSUER}/mcp` })).status).toBe(303);
});

test('addresses are those of PUBLIC_URL, whatever Host says', async () => {
  const app = await oauth.app();
  const { location } = await oauth.authorize(app);
  expect(location?.origin).toBe(ISSUER);
  const { body } = await oauth.send('/.well-known/oauth-authorization-server', {
    headers: { 'x-forwarded-host': 'evil.example' },
  });
  expect(body.token_endpoint).toBe(`${ISSUER}/oauth/token`);
});

test('revocation ends a token, for its client only', async () => {
  const [app, other] = [await oauth.app(), await oauth.app()];
  const tokens = await oauth.install(app);
  const revoke = (of: typeof app, token: string) =>
    oauth.send('/oauth/revoke', { form: { client_id: of.clientId, client_secret: of.clientSecret, token } });
  await revoke(other, tokens.bot.token);
  await revoke(other, tokens.access_token);
  expect([await oauth.asBot(tokens.bot.token), await oauth.asPerson(tokens.access_token)]).toEqual([
    200, 200,
  ]);
  expect((await revoke(app, tokens.bot.token)).status).toBe(200);
  expect(await oauth.asBot(tokens.bot.token)).toBe(401);
  expect((await revoke(app, tokens.refresh_token)).status).toBe(200);
  expect(await oauth.asPerson(tokens.access_token)).toBe(401);
  expect((await revoke(app, 'unknown')).status).toBe(200);
});

test('dynamic registration, introspection and device codes do not exist', async () => {
  for (const path of ['/oauth/register', '/reg', '/oauth/introspect', '/device', '/jwks', '/me'])
    expect((await oauth.send(path, { form: {} })).status).toBe(404);
});

test('an error page does not repeat markup', async () => {
  const { body, headers } = await oauth.authorize(await oauth.app(), {
    redirect_uri: 'https://evil.example/<script>',
  });
  expect(body).not.toContain('<script>');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

test('an address starts a limited number of requests per minute', async () => {
  const limited = await startAppsApi({ RATE_OAUTH_PER_MINUTE: '2' });
  try {
    const fixture = await OAuthFixture.of(limited);
    const app = await fixture.app();
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await fixture.authorize(app)).status);
    expect(statuses).toEqual([303, 303, 429]);
    const wrong = { ...app, clientSecret: 'wrong' };
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push((await fixture.refresh(wrong, 'token')).status);
    expect(answers).toEqual([401, 401, 429]);
    expect((await fixture.refresh(app, 'unknown')).body.error).toBe('invalid_grant');
  } finally {
    await limited.close();
  }
});
