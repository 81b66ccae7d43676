import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AnswerFaults } from '@tieline/testing';
import { Tieline } from '../tieline.js';
import { breakingChanges } from './breaking-changes.js';
import type { Contract } from './breaking-changes.js';
import { commit, committed } from './committed.js';
import type { Documents } from './committed.js';
import { tryExample } from './examples.js';
import { ExamplesScene } from './examples-scene.js';

interface Media {
  example?: unknown;
  schema?: { example?: unknown; $ref?: string };
}
interface Operation {
  'x-open-answer'?: boolean;
  summary?: string;
  operationId?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  requestBody?: { content: Record<string, Media & { examples?: Record<string, { value: unknown }> }> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
  parameters?: { name: string; in: string; required?: boolean }[];
}

const LIBS = fileURLToPath(new URL('../../../../libs', import.meta.url));

let tieline: Tieline;
let document: Contract & { paths: Record<string, Record<string, Operation>> };
let documents: Documents;
let operations: [string, Operation][];
let output: string;
let api: { url: string };

beforeAll(async () => {
  tieline = await Tieline.create();
  const started = await tieline.start('api', { OAUTH_DYNAMIC_REGISTRATION: 'true' });
  api = started;
  const read = async (path: string): Promise<Contract> =>
    (await (await fetch(`${api.url}${path}`)).json()) as Contract;
  document = (await read('/api/openapi.json')) as typeof document;
  documents = { api: document, webhooks: await read('/api/webhooks.json') };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      one,
    ]),
  );
  output = started.output();
});
afterAll(() => tieline?.close());

// Intended breaking changes are listed in CHANGELOG.md and written by `npm run docs:api --
// --breaking`.
test('docs/openapi.json: no breaking change', () => {
  if (process.env.WRITE_API === 'breaking') return;
  expect(breaks()).toEqual([]);
});

test('docs/openapi.json is up to date (`npm run docs:api`)', () => {
  if (process.env.WRITE_API === 'breaking' || (process.env.WRITE_API && breaks().length === 0))
    commit(documents);
  expect(documents).toEqual(committed());
});

function breaks(): string[] {
  const before = committed();
  return (['api', 'webhooks'] as const).flatMap((name) => breakingChanges(before[name], documents[name]));
}

test('the introduction links to the guides, which are served next to the page', async () => {
  const { description } = (document as unknown as { info: { description: string } }).info;
  const links = [...description.matchAll(/\]\((\/api\/docs\/guides[^)]+)\)/g)].map(([, link]) =>
    String(link),
  );
  expect(links.length).toBeGreaterThan(10);
  for (const link of links) {
    const response = await fetch(`${api.url}${link}`);
    expect([link, response.status, response.headers.get('content-type')]).toEqual([
      link,
      200,
      'text/plain; charset=utf-8',
    ]);
    expect(await response.text()).toMatch(/^# /);
  }
  for (const name of ['none.md', 'openapi.json', '..%2fpackage.json'])
    expect((await fetch(`${api.url}/api/docs/guides/${name}`)).status).toBe(404);
});

test('every endpoint is in the document', () => {
  const names = operations.map(([name]) => name);
  for (const expected of [
    'POST /api/v1/bot/messages',
    'PATCH /api/v1/bot/messages/{message_id}',
    'GET /api/v1/bot/me',
    'POST /api/v1/bot/dm',
    'POST /api/v1/bot/conversations/{id}/join',
    'GET /api/v1/channels/{conversation_id}/messages',
    'POST /api/v1/operator/spaces',
    'POST /api/v1/admin/bots',
    'POST /api/v1/admin/outgoing_webhooks',
    'POST /api/v1/admin/deliveries/{id}/redeliver',
    'GET /api/v1/admin/audit_log',
    'GET /api/v1/client/stream',
    'PUT /api/v1/client/focus',
    'GET /health/ready',
    'GET /metrics',
  ])
    expect(names).toContain(expected);
});

/** Returns operation ids with the result of `problems`. */
const lacking = (problems: (operation: Operation, name: string) => (string | false)[]): string[] =>
  operations.flatMap(([name, operation]) =>
    problems(operation, name)
      .filter(Boolean)
      .map((problem) => `${name}: ${problem}`),
  );

const media = ({ responses }: Operation): [string, string, Media][] =>
  Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, one]): [string, string, Media] => [status, type, one]),
  );

test('every endpoint has a one-line summary for readers', async () => {
  const docstrings = await docstringsOfControllers();
  const isCut = (text: string): boolean =>
    docstrings.some(
      (docstring) => docstring.startsWith(text) && !/^($|[.;:] ?)/.test(docstring.slice(text.length)),
    );
  expect(
    lacking(({ summary = '' }) => [
      !/^[A-Z]/.test(summary) && 'does not begin as a sentence does',
      summary.length > 90 && `${summary.length} characters`,
      /[\n…]|\.\.\./.test(summary) && 'more than a line, or cut',
      /[.,;:(]$|\b(a|an|and|but|is|or|that|the|when|where|which|who)$/.test(summary) &&
        'ends in the middle of a sentence',
      count(summary, '(') !== count(summary, ')') && 'ends within brackets',
      isCut(summary) && 'begins a docstring that goes on',
    ]),
  ).toEqual([]);
  const summaries = operations.map(([, { summary }]) => summary);
  expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual([]);
});

const count = (text: string, part: string): number => text.split(part).length - 1;

async function docstringsOfControllers(): Promise<string[]> {
  const files = await readdir(LIBS, { recursive: true });
  const controllers = files.filter((file) => /src\/.*controller\.ts$/.test(file));
  const sources = await Promise.all(controllers.map((file) => readFile(join(LIBS, file), 'utf8')));
  return sources.flatMap((source) =>
    [...source.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, text = '']) =>
      text.replace(/\s*\n\s*\*?\s*/g, ' ').trim(),
    ),
  );
}

test('every response has an example, and JSON responses have a named schema', () => {
  expect(
    lacking((operation) => [
      // 101 is for WebSocket handshakes.
      !Object.keys(operation.responses).some((status) => /^(2|101$)/.test(status)) && 'no success',
      ...media(operation).flatMap(([status, type, { example, schema }]) => [
        (example ?? schema?.example) === undefined && `${status} without example`,
        type === 'application/json' && schema?.$ref === undefined && `${status} without class`,
      ]),
      ...Object.entries(operation.responses).map(
        ([status, { content }]) =>
          status >= '400' && !content?.['application/json'] && `${status} without body`,
      ),
    ]),
  ).toEqual([]);
});

/**
 * Checks errors that follow from the operation itself. The check of all responses in tests finds
 * the others.
 */
test('every operation documents the errors that its caller, body, query and path can cause', () => {
  expect(
    lacking(({ security = [], requestBody, parameters = [], responses, ...operation }, name) => {
      const audiences = callersOf(security);
      const needed = [
        ...(audiences.length > 0 ? ['401', '503'] : []),
        ...(audiences.some((one) => one === 'person' || one === 'admin') ? ['403'] : []),
        // Errors of these operations have the status 200.
        ...(requestBody && !operation['x-open-answer'] ? ['400', '413'] : []),
      ];
      const hasOneOf = (...statuses: string[]): boolean => statuses.some((status) => status in responses);
      const ids = parameters.filter((one) => one.in === 'path' && /(^|_)id$/.test(one.name));
      return [
        ...needed.map((status) => !(status in responses) && `lacks ${status}`),
        ids.length > 0 && !hasOneOf('400', '404') && 'lacks 404',
        name.includes('/api/v1/') && !hasOneOf('401') && 'lacks 401',
      ];
    }),
  ).toEqual([]);
});

/** Returns whose tokens an operation accepts. */
const callersOf = (security: Record<string, string[]>[]): string[] =>
  security.flatMap((one) => one.token ?? []);

test('exactly the operations for people and the operator also accept a session cookie', () => {
  const cookies: Record<string, string> = {
    person: 'cookieAuth',
    admin: 'cookieAuth',
    operator: 'operatorCookieAuth',
  };
  expect(
    lacking(({ security = [], responses }) => {
      const schemes = security.flatMap((one) => Object.keys(one));
      const [cookie] = callersOf(security).flatMap((caller) => cookies[caller] ?? []);
      return [
        cookie !== undefined && !schemes.includes(cookie) && `lacks ${cookie}`,
        cookie === undefined && schemes.some((one) => /cookie/i.test(one)) && 'takes a cookie',
        cookie !== undefined && !('403' in responses) && 'lacks 403 for the CSRF token',
      ];
    }),
  ).toEqual([]);
});

test('operation ids are unique and descriptive and name the caller, and tags start with the caller', () => {
  const suffixes: Record<string, string> = { client: 'AsPerson', admin: 'AsAdmin', operator: 'AsOperator' };
  expect(
    lacking(({ operationId = '', tags = [], security = [] }, name) => {
      const [, caller = ''] = /\/api\/v1\/(\w+)\//.exec(name) ?? [];
      const suffix = suffixes[caller] ?? '';
      const callers = callersOf(security);
      return [
        !/^[a-z]+([A-Z][a-z0-9]*)*$/.test(operationId) && `is called ${operationId}`,
        !operationId.endsWith(suffix) && `${operationId} does not end in ${suffix}`,
        suffix === '' && /As(Person|Admin|Operator)$/.test(operationId) && `${operationId} names a caller`,
        // Client generators put an operation into one file per tag.
        tags.length !== 1 && `has ${tags.length} tags`,
        ...tags.map((tag) => !/^(bot|person|admin|operator|public): /.test(tag) && `has the tag ${tag}`),
        callers.length > 0 &&
          !callers.some((one) => tags[0]?.startsWith(one)) &&
          `is not among those of a ${callers.join(' or a ')}`,
      ];
    }),
  ).toEqual([]);
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('no duplicate parameters, no required headers, no bodies with the same name', () => {
  for (const [name, { parameters = [] }] of operations) {
    const keys = parameters.map((parameter) => `${parameter.in}:${parameter.name.toLowerCase()}`);
    expect([name, keys]).toEqual([name, [...new Set(keys)]]);
    expect(parameters.filter((parameter) => parameter.in === 'header' && parameter.required)).toEqual([]);
  }
  expect(output).not.toMatch(/duplicate/i);
});

test('every body has an example that is accepted unchanged', async () => {
  const examples = operations.flatMap(([name, { operationId = '', security = [], requestBody }]) =>
    Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples: named = {} }]) =>
      Object.values(named).map(({ value }) => {
        const [method = '', path = ''] = name.split(' ');
        return { operationId, method, path, callers: callersOf(security), type, value };
      }),
    ),
  );
  const shown = new Set(examples.map(({ operationId }) => operationId));
  const without = lacking(({ operationId = '', requestBody }) => [
    requestBody !== undefined && !shown.has(operationId) && 'has no example',
  ]);
  expect(without.sort()).toEqual([
    'POST /slack/uploads/{upload_token}: has no example', // bytes
    'PUT /storage/{path}: has no example', // bytes
  ]);
  const scene = await ExamplesScene.furnish(api, await tieline.receiver());
  const problems: string[] = [];
  for (const example of examples) problems.push((await tryExample(scene, example)) ?? '');
  expect(problems.filter(Boolean)).toEqual([]);
});

test('an undocumented response of a process fails the test', async () => {
  const lie = `import { subscribe } from 'node:diagnostics_channel';
    subscribe('fastify.initialization', ({ fastify }) => fastify.addHook('onSend', (request, reply, payload, done) =>
      done(null, request.url === '/health/live' ? '{"more":1}' : payload)));`;
  const api = await tieline.start('api', {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(lie)}`,
  });
  await fetch(`${api.url}/health/live`);
  expect(AnswerFaults.ofThisTest().take()).toEqual([
    expect.stringContaining('GET /health/live answered 200 {"more":1}'),
  ]);
});
