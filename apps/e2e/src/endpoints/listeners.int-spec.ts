import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { eventually, freePort } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { Tieline } from '../tieline.js';

/*
 * Tests every path of the product on every listener with every method, without credentials, so that
 * nothing changes.
 */

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
/** Undocumented paths. */
const PAGES = [
  '/',
  '/bots',
  '/bots/x',
  '/c/x',
  '/api/docs',
  '/api/openapi.json',
  '/assets/none.js',
  '/portal',
];
const GENERIC = /^\/(api\/v1\/webhooks|hooks|services)(\/|$)/;
const PLAIN = /^\/api\/v1\/bot\/files(\/|$)/;
const OAUTH = /^\/oauth\/|^\/\.well-known\/oauth-authorization-server$/;

interface Seen {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

let tieline: Tieline;
let api: AppProcess;
let ports: { public: number; metrics: number; operator: number };
let paths: string[];
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

beforeAll(async () => {
  const [metrics, operator] = [await freePort(), await freePort()];
  tieline = await Tieline.create();
  api = await tieline.start('api', {
    METRICS_PORT: String(metrics),
    OPERATOR_PORT: String(operator),
    // Paths of other ports get 404 here, which the document does not describe.
    TIELINE_ANSWER_FAULTS: '/dev/null',
  });
  ports = { public: Number(new URL(api.url).port), metrics, operator };
  const document = JSON.parse((await send(ports.public, 'GET', '/api/openapi.json')).body) as {
    paths: object;
  };
  paths = [...Object.keys(document.paths).map((path) => path.replace(/\{[^}]+\}/g, 'x')), ...PAGES];
});
afterAll(async () => {
  agent.destroy();
  await tieline?.close();
});

function send(port: number, method: string, path: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent }, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
    sent.on('error', reject).end();
  });
}

const isOf = (part: 'metrics' | 'operator', path: string): boolean =>
  path === { metrics: '/metrics', operator: '/api/v1/operator' }[part] ||
  (part === 'operator' && path.startsWith('/api/v1/operator/'));
const ownListener = (path: string): keyof typeof ports =>
  (['metrics', 'operator'] as const).find((part) => isOf(part, path)) ?? 'public';

const SPELLINGS: ((path: string) => string)[] = [
  (path) => path,
  (path) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `http://elsewhere.example${path}`,
  (path) => `${path}#fragment`,
];

test('a path exists only on its own listener, however it is encoded', async () => {
  const misplaced: string[] = [];
  for (const path of paths)
    for (const [name, port] of Object.entries(ports))
      for (const spell of SPELLINGS) {
        const target = spell(path);
        const { status } = await send(port, 'GET', target);
        const isHere = ownListener(path) === name;
        // A private path exists or asks for a token; elsewhere it gets 404.
        const isWrong = isHere ? name !== 'public' && status === 404 : status !== 404;
        if (isWrong) misplaced.push(`${name} ${target}: ${status}`);
      }
  expect(paths.length).toBeGreaterThan(100);
  expect(misplaced).toEqual([]);
});

test.each([
  (path: string) => `/${path}`,
  (path: string) => path.toUpperCase(),
  (path: string) => `/x/..${path}`,
  (path: string) => path.replace('/', '/%2f'),
])('private paths have no other spelling: %#', async (spell) => {
  for (const path of ['/metrics', '/api/v1/operator/spaces', '/api/v1/operator/session'])
    expect([path, (await send(ports.public, 'GET', spell(path))).status]).toEqual([path, 404]);
});

test('Allow lists exactly the methods that do not get 405', async () => {
  const wrong: string[] = [];
  for (const path of paths) {
    const port = ports[ownListener(path)];
    const responses = await Promise.all(
      METHODS.map(async (method) => ({ method, ...(await send(port, method, path)) })),
    );
    const allowed = responses.filter(({ status }) => status !== 405).map(({ method }) => method);
    for (const { method, status, headers } of responses)
      if (status === 405 && headers.allow !== allowed.join(', '))
        wrong.push(`${method} ${path}: Allow is "${headers.allow}", not "${allowed.join(', ')}"`);
  }
  expect(wrong).toEqual([]);
});

test('every response has a request id, the default headers and the error shape of its path', async () => {
  const wrong: string[] = [];
  for (const path of paths)
    for (const [name, port] of Object.entries(ports))
      for (const method of METHODS) {
        const { status, headers, body } = await send(port, method, path);
        const missing = [
          'x-request-id',
          'x-content-type-options',
          'referrer-policy',
          'content-security-policy',
        ]
          .filter((header) => headers[header] === undefined)
          .join();
        if (missing) wrong.push(`${name} ${method} ${path}: lacks ${missing}`);
        if (!String(headers['content-type']).startsWith('application/json')) continue;
        if (!/no-store|no-cache/.test(headers['cache-control'] ?? ''))
          wrong.push(`${name} ${method} ${path}: may be cached`);
        if (status >= 400 && method !== 'HEAD' && !hasShape(path, body))
          wrong.push(`${name} ${method} ${path}: ${body}`);
      }
  expect(wrong).toEqual([]);
});

function hasShape(path: string, body: string): boolean {
  const keys = Object.keys(JSON.parse(body) as object);
  if (GENERIC.test(path)) return body === '{"ok":false,"error":"request rejected"}';
  if (path === '/health/ready') return true;
  if (path === '/mcp') return keys.join() === 'jsonrpc,id,error';
  if (/^\/slack\/(api|responses|uploads)\//.test(path)) return keys.join() === 'ok,error';
  if (OAUTH.test(path)) return keys.join() === 'error,error_description';
  return (PLAIN.test(path) ? ['error'] : ['ok', 'error', 'code']).every((key, at) => keys[at] === key);
}

test('the log names the listener of each request', async () => {
  await send(ports.operator, 'GET', '/api/v1/operator/spaces');
  await send(ports.public, 'GET', '/api/v1/operator/spaces');
  const lines = (): string[] =>
    api
      .output()
      .split('\n')
      .filter((line) => line.includes('"request"'));
  await eventually(() =>
    expect(lines().map((line) => (JSON.parse(line) as { listener: string }).listener)).toEqual(
      expect.arrayContaining(['public', 'operator']),
    ),
  );
});
