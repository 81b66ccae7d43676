import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { createHttpApp, SCOPES, serveOpenApi, TokenResolvers } from '@tieline/platform/http';
import type {
  BotPrincipal,
  Principal,
  RequiredScope,
  Scope,
  TokenPrefix,
  UserPrincipal,
} from '@tieline/platform/http';
import { createLogger, NestLogger } from '@tieline/platform/observability';
import { seedSpace } from '@tieline/spaces/testing';
import { createTestDatabase, TEST_ENVIRONMENT } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { ApiModule } from './api.module.js';

/*
 * Every route is called by a token that lacks exactly its scope, and by one that has exactly that.
 */

interface GuardedRoute {
  method: string;
  path: string;
  scope: RequiredScope;
}

/** A prefix that no lib has registered. */
const PREFIX = 'tlx_' as TokenPrefix;
const ID = uuidv7();
/** Refusals by the guard. */
const REFUSED = /^(insufficient_scope|token_of_a_person|forbidden)$/;

let database: TestDatabase;
let app: NestFastifyApplication;
let url: string;
let routes: GuardedRoute[];
let bot: BotPrincipal;
let person: UserPrincipal;
/** The caller of the next request. */
let caller: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const environment = new Environment({ ...TEST_ENVIRONMENT, DATABASE_URL: database.url });
  const logger = createLogger(new PlatformSettings(environment), 'api', { write: () => undefined });
  const module = ApiModule.of(environment, logger);
  app = await createHttpApp(module, { logger, nestLogger: new NestLogger(logger) });
  // Tools read the document.
  serveOpenApi(app, { description: 'a test', hasPage: false });
  app.get(TokenResolvers, { strict: false }).register(PREFIX, async () => caller);
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
  await createCallers();
  routes = [...app.getHttpAdapter().getInstance().knownRoutes.all()].flatMap(({ pattern, methods }) =>
    [...methods].flatMap(([method, { guarded, part, scope }]) =>
      guarded && part !== 'operator' && method !== 'HEAD' && scope !== undefined
        ? [{ method, path: pattern.replace(/:bot_id/, bot.botId).replace(/:[a-z_]+/g, ID), scope }]
        : [],
    ),
  );
});
async function createCallers(): Promise<void> {
  const { spaceId, owner } = await seedSpace(app.get(Db, { strict: false }));
  person = { kind: 'user', userId: owner.id, spaceId, role: 'owner', scopes: 'all' };
  caller = person;
  const response = await fetch(`${url}/api/v1/admin/bots`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ display_name: 'Robot', event_delivery_mode: 'poll' }),
  });
  const { bot: created } = (await response.json()) as { bot: { id: string } };
  bot = { kind: 'bot', botId: created.id, spaceId, channelIds: [], scopes: 'all' };
}
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

interface Outcome {
  status: number;
  code?: string;
  required?: string;
  granted?: string[];
}

async function callAs(
  kind: 'bot' | 'user',
  { method, path }: GuardedRoute,
  granted: Iterable<Scope>,
): Promise<Outcome> {
  const scopes = new Set(granted);
  caller = kind === 'bot' ? { ...bot, scopes } : { ...person, scopes };
  const body = ['GET', 'DELETE'].includes(method) ? {} : { body: '{}' };
  const headers = { authorization: `Bearer ${PREFIX}test`, 'content-type': 'application/json' };
  const left = new AbortController();
  const response = await fetch(url + path, { method, headers, signal: left.signal, ...body });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const answer = isStream ? {} : ((await response.json().catch(() => ({}))) as object);
  left.abort();
  // The MCP endpoint has the code in an error of JSON-RPC.
  const { error } = answer as { error?: { data?: object } | string };
  return { status: response.status, ...(typeof error === 'object' ? error.data : answer) };
}

/** Who a route is for; both for routes that both may call. */
function callersOf({ path }: GuardedRoute): ('bot' | 'user')[] {
  if (path.startsWith('/api/v1/channels/') || path === '/mcp') return ['bot', 'user'];
  return path.startsWith('/api/v1/bot') ? ['bot'] : ['user'];
}

test('each scope guards an endpoint', () => {
  expect(new Set(routes.map(({ scope }) => scope))).toEqual(new Set([...SCOPES, 'none', 'all']));
});

test('a token that lacks exactly the scope of a route gets 403 with that scope', async () => {
  for (const route of routes) {
    const { method, path, scope } = route;
    if (scope === 'none') continue;
    const granted = SCOPES.filter((one) => one !== scope);
    for (const kind of callersOf(route))
      expect([method, path, await callAs(kind, route, granted)]).toEqual([
        method,
        path,
        expect.objectContaining({ status: 403, code: 'insufficient_scope', required: scope, granted }),
      ]);
  }
});

test('a token with exactly the scope of a route passes', async () => {
  for (const route of routes) {
    const { method, path, scope } = route;
    if (scope === 'all') continue;
    for (const kind of callersOf(route)) {
      const { code = '' } = await callAs(kind, route, scope === 'none' ? [] : [scope]);
      expect([method, path, code]).toEqual([method, path, expect.not.stringMatching(REFUSED)]);
    }
  }
});

describe('an MCP tool', () => {
  const callTool = async (
    name: string,
    given: object,
    granted: Scope[],
  ): Promise<{ isError?: boolean; structuredContent: object }> => {
    caller = { ...bot, scopes: new Set(granted) };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${PREFIX}test`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { result } = (await response.json()) as { result: Awaited<ReturnType<typeof callTool>> };
    return result;
  };

  test('without the scope of its endpoint is refused with the code of the API', async () => {
    const given = { conversation_id: ID, text: 'Hello' };
    expect(await callTool('send_message', given, ['messages:read'])).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'insufficient_scope',
        required: 'messages:write',
        granted: ['messages:read'],
      },
    });
    expect(await callTool('get_file', { file_id: ID, conversation_id: ID }, [])).toMatchObject({
      isError: true,
      structuredContent: { code: 'insufficient_scope', required: 'files:read', granted: [] },
    });
  });

  test('with the scope gets past that check', async () => {
    const given = { conversation_id: ID, text: 'Hello' };
    const { structuredContent } = await callTool('send_message', given, ['messages:write']);
    expect(structuredContent).not.toMatchObject({ code: 'insufficient_scope' });
  });

  test('is listed with its scope', async () => {
    caller = { ...bot, scopes: new Set() };
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${PREFIX}test`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await response.json()) as { result: { tools: object[] } };
    expect(result.tools).toContainEqual(
      expect.objectContaining({ name: 'send_message', _meta: { 'tieline/scope': 'messages:write' } }),
    );
    for (const tool of result.tools)
      expect(tool).toMatchObject({ _meta: { 'tieline/scope': expect.any(String) } });
  });
});
