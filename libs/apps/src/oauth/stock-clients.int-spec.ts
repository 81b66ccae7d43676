import type { TestApi } from '@tieline/spaces/testing';
import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import { ISSUER, OAuthFixture, REDIRECT_URI, startAppsApi } from '../testing/oauth-fixture.js';
import type { SeededApp } from '../testing/oauth-fixture.js';

let api: TestApi;
let oauth: OAuthFixture;
let app: SeededApp;
beforeAll(async () => {
  api = await startAppsApi();
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
  app = await oauth.app();
});
afterAll(() => api?.close());

/** Reaches the test's server under the issuer's address. */
const reach = (url: string, options: object): Promise<Response> =>
  fetch(url.replace(ISSUER, api.url), options as RequestInit);

/** Lets the owner agree in a browser. Returns the address that the app is called at. */
async function browse(address: URL): Promise<URL> {
  const { location, cookies } = await oauth.send(`${address.pathname}${address.search}`);
  const uid = location?.searchParams.get('uid') ?? '';
  const { body } = await oauth.approve({ uid });
  const { location: callback } = await oauth.resume(body.redirect_to, cookies);
  if (!callback) throw new Error('no callback');
  return callback;
}

test.each([
  ['client_secret_basic', openid.ClientSecretBasic],
  ['client_secret_post', openid.ClientSecretPost],
])('openid-client with %s: discovery, code with PKCE, refresh, revocation', async (_, authentication) => {
  const config = await openid.discovery(
    new URL(ISSUER),
    app.clientId,
    undefined,
    authentication(app.clientSecret),
    { algorithm: 'oauth2', [openid.customFetch]: reach },
  );
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: app.scope,
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const callback = await browse(address);
  const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, space: { name: 'Acme' } });
  expect(await oauth.asPerson(tokens.access_token)).toBe(200);
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(await oauth.asPerson(refreshed.access_token)).toBe(200);
  await openid.tokenRevocation(config, refreshed.refresh_token ?? '');
  expect(await oauth.asPerson(refreshed.access_token)).toBe(401);
});

test('oauth4webapi: the mix-up defence accepts our issuer only', async () => {
  const issuer = new URL(ISSUER);
  const server = await oauth4webapi.processDiscoveryResponse(
    issuer,
    await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', [oauth4webapi.customFetch]: reach }),
  );
  expect(server.authorization_response_iss_parameter_supported).toBe(true);
  const client = { client_id: app.clientId };
  const verifier = oauth4webapi.generateRandomCodeVerifier();
  const address = new URL(server.authorization_endpoint ?? '');
  address.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: app.scope,
    code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const callback = await browse(address);
  const mixedUp = new URL(callback);
  mixedUp.searchParams.set('iss', 'https://evil.example');
  expect(() =>
    oauth4webapi.validateAuthResponse(server, client, mixedUp, oauth4webapi.expectNoState),
  ).toThrow();
  const parameters = oauth4webapi.validateAuthResponse(server, client, callback, oauth4webapi.expectNoState);
  const response = await oauth4webapi.authorizationCodeGrantRequest(
    server,
    client,
    oauth4webapi.ClientSecretPost(app.clientSecret),
    parameters,
    REDIRECT_URI,
    verifier,
    { [oauth4webapi.customFetch]: reach },
  );
  const tokens = await oauth4webapi.processAuthorizationCodeResponse(server, client, response);
  expect(tokens.scope).toBe('messages:read conversations:read');
});
