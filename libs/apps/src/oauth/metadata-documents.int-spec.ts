import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { EgressClient, EgressPolicy } from '@tieline/egress';
import type { TestApi } from '@tieline/spaces/testing';
import { TEST_CA, TEST_SERVER_CERTIFICATE, TEST_SERVER_KEY } from '@tieline/testing';
import { OAuthFixture, REDIRECT_URI, startAppsApi } from '../testing/oauth-fixture.js';
import { OAuthProvider } from './oauth-provider.js';

let documents: Record<string, (id: string) => object>;
let server: Server;
let egress: EgressClient;
let api: TestApi;
let oauth: OAuthFixture;
let requests = 0;
const host = (): string => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  server = createServer({ cert: TEST_SERVER_CERTIFICATE, key: TEST_SERVER_KEY }, (request, response) => {
    requests += 1;
    const id = `${host()}${request.url}`;
    const document = documents[request.url ?? '']?.(id);
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  api = await startAppsApi();
  oauth = await OAuthFixture.of(api);
});
afterAll(async () => {
  await api?.close();
  await egress?.close();
  server?.close();
});

const client = (client_id: string) => ({
  client_id,
  client_name: 'An assistant',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
});

test('a document on an internal address is not fetched', async () => {
  documents = { '/client': client };
  for (const clientId of [`${host()}/client`, 'https://localhost/client', 'https://10.0.0.1/client'])
    expect((await oauth.authorize({ clientId, scope: 'messages:read' })).status).toBe(400);
  expect(requests).toBe(0);
});

describe('on an address that may be reached', () => {
  beforeAll(() => {
    const policy = new EgressPolicy({ allowHttp: false, allowedCidrs: ['127.0.0.1/32'] });
    egress = new EgressClient(policy, { version: '1', ca: TEST_CA }, policy);
    // The client of the process trusts public authorities only.
    Reflect.set(api.app.get(OAuthProvider, { strict: false }), 'egress', egress);
    Reflect.set(api.app.get(OAuthProvider, { strict: false }), 'loading', undefined);
  });

  test('a client gets tokens of a person, and no bot', async () => {
    documents = { '/client': client };
    const app = { id: '', clientId: `${host()}/client`, clientSecret: '', scope: 'conversations:read' };
    const flow = await oauth.start(app);
    const { body } = await oauth.person('GET', `/oauth/interactions/${flow.uid}`);
    expect(body.interaction).toMatchObject({
      app: { name: 'An assistant', client_id: app.clientId, owner: '' },
      bot_scopes: [],
    });
    const tokens = await oauth.install(app, undefined, { bot_scope: 'messages:write' });
    expect(tokens).not.toHaveProperty('bot');
    expect(tokens.scope).toBe(app.scope);
    expect(await oauth.asPerson(tokens.access_token)).toBe(200);
  });

  test('the token endpoint fetches no document of an unknown client', async () => {
    documents = { '/unknown': client };
    const before = requests;
    const app = { id: '', clientId: `${host()}/unknown`, clientSecret: '', scope: '' };
    expect((await oauth.refresh(app, 'token')).body.error).toBe('invalid_client');
    expect(requests).toBe(before);
  });

  test.each([
    ['another client_id', (id: string) => ({ ...client(id), client_id: `${id}/other` })],
    ['a secret', (id: string) => ({ ...client(id), client_secret: 'secret' })],
    ['shared secrets', (id: string) => ({ ...client(id), token_endpoint_auth_method: 'client_secret_post' })],
    [
      'plain http redirects',
      (id: string) => ({ ...client(id), redirect_uris: ['http://app.example/callback'] }),
    ],
    [
      'a redirect URI with a user name',
      (id: string) => ({ ...client(id), redirect_uris: ['https://a@app.example/'] }),
    ],
  ])('a document with %s is refused', async (name, document) => {
    const path = `/${encodeURIComponent(name)}`;
    documents = { [path]: document };
    const [redirect_uri = ''] = (document('') as { redirect_uris: string[] }).redirect_uris;
    const answer = await oauth.authorize(
      { clientId: `${host()}${path}`, scope: 'messages:read' },
      { redirect_uri },
    );
    expect([answer.status, answer.location]).toEqual([400, undefined]);
  });
});
