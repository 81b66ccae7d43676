import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { createApp } from '../apps/app-flow.js';
import { call, createWorkspace, expectOk, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

/** The stock MCP client signs in by OAuth, as an IDE does. */

const ISSUER = 'https://chat.example';
const REDIRECT_URI = 'https://app.example/callback';

let tieline: Tieline;
let api: { url: string };
let workspace: Workspace;

beforeAll(async () => {
  tieline = await Tieline.create({ PUBLIC_URL: ISSUER });
  api = await tieline.start('api');
  workspace = await createWorkspace(api);
});
afterAll(() => tieline?.close());

/** Reaches the api of the test under the address of the issuer. */
const reach = (url: string | URL, options?: RequestInit): Promise<Response> =>
  fetch(String(url).replace(ISSUER, api.url), options);

/** Remembers what an IDE remembers. */
function ide(clientId: string): OAuthClientProvider & { address?: URL } {
  let verifier = '';
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  const provider: OAuthClientProvider & { address?: URL } = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' },
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization: (address) => {
      provider.address = address;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
  return provider;
}

/** Lets the owner agree in a browser. Returns what the client is called with. */
async function agree({ pathname, search }: URL): Promise<URLSearchParams> {
  const asked = await fetch(`${api.url}${pathname}${search}`, { redirect: 'manual' });
  const uid = new URL(asked.headers.get('location') ?? '').searchParams.get('uid');
  const path = `/api/v1/client/oauth/interactions/${uid}/approve`;
  const { redirect_to } = await expectOk(call(api, 'POST', path, workspace.ownerToken));
  const cookie = asked.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const answered = await reach(redirect_to as string, { redirect: 'manual', headers: { cookie } });
  return new URL(answered.headers.get('location') ?? '').searchParams;
}

test('a client finds the provider, a person agrees, and tools act as the person within the scopes', async () => {
  const settings = { client_type: 'public', bot_scopes: [], user_scopes: ['conversations:read'] };
  const { clientId } = await createApp(api, workspace.ownerToken, settings);
  const authProvider = ide(clientId);
  const transport = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(`${ISSUER}/mcp`), {
      authProvider,
      fetch: reach,
    });
  const client = new Client({ name: 'ide', version: '1' });
  const first = transport();
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
  expect(authProvider.address?.searchParams.get('resource')).toBe(`${ISSUER}/mcp`);
  await first.finishAuth(await agree(authProvider.address as URL));
  await client.connect(transport());
  try {
    expect(await client.callTool({ name: 'list_conversations', arguments: {} })).not.toMatchObject({
      isError: true,
    });
    const sent = await client.callTool({
      name: 'send_message',
      arguments: { conversation_id: workspace.channels[0], text: 'forged' },
    });
    expect([sent.isError, JSON.stringify(sent)]).toEqual([
      true,
      expect.stringContaining('insufficient_scope'),
    ]);
  } finally {
    await client.close();
  }
});
