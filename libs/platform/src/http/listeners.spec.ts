import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Body, Controller, Get, Module, Post, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { eventually, freePort } from '@tieline/testing';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { ConfigModule, Environment, RequestLimits } from '../config/index.js';
import { createHttpApp } from './app.js';
import { OperatorApi } from './callers/authentication.js';
import { ErrorShape } from './error-shape.js';
import { HttpModule } from './http.module.js';
import { listenPrivately } from './limits/server-rules.js';
import { PrivateRoutes } from './routes/listeners.js';
import { StreamedBody } from './streamed-body.js';

@Controller('metrics')
@PrivateRoutes('metrics')
class MetricsController {
  @Get() show(): string {
    return 'numbers';
  }
}

@Controller('api/v1/operator')
class OperatorController {
  @Get('spaces') @OperatorApi() list(): object {
    return { ok: true };
  }
}

@Controller('api/v1')
class OpenController {
  @Get('notes/:id') one(): object {
    return { ok: true };
  }
  @Post('notes') note(@Body() body: object): object {
    return { ok: true, body };
  }
  @Post('notes/pinned') pin(): object {
    return { ok: true };
  }
  @Post('files/:id') @ErrorShape('plain') file(@Body() body: object): object {
    return { ok: true, body };
  }
  @Post('incoming/:token') @ErrorShape('generic') @StreamedBody() async take(
    @Req() request: FastifyRequest,
  ): Promise<string> {
    return text(request.raw);
  }
}

const environment = new Environment({
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123',
  HTTP_HEADERS_TIMEOUT_SECONDS: '5',
  HTTP_REQUEST_TIMEOUT_SECONDS: '5',
});

@Module({
  imports: [ConfigModule.of(environment), HttpModule],
  controllers: [MetricsController, OperatorController, OpenController],
})
class ListenersModule {}

let app: NestFastifyApplication;
const lines: string[] = [];
let ports: Record<'public' | 'metrics' | 'operator', number>;

beforeAll(async () => {
  const [metrics, operator] = [await freePort(), await freePort()];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const limits = new RequestLimits(environment);
  app = await createHttpApp(ListenersModule, {
    ...{ logger, nestLogger: false, limits, privatePorts: { metrics, operator } },
  });
  await listenPrivately(app.getHttpAdapter().getInstance() as unknown as FastifyInstance, '127.0.0.1');
  await app.listen(0, '127.0.0.1');
  ports = { public: Number(new URL(await app.getUrl()).port), metrics, operator };
});
afterAll(() => app.close());

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Sends bytes and reads the answer until the server or `Connection: close` ends it. */
async function send(port: number, bytes: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((one): [string, string] => {
    const [name = '', value = ''] = one.split(/: (.*)/);
    return [name.toLowerCase(), value];
  });
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), body: parsed(body) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const get = (port: number, target: string): Promise<RawAnswer> =>
  send(
    port,
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator-token-0123\r\nConnection: close\r\n\r\n`,
  );

const SPELLINGS: [string, (path: string) => string][] = [
  ['unchanged', (path) => path],
  ['percent-encoded', (path) => path.replace(/[a-z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)],
  ['encoded once', (path) => path.replace('e', '%65')],
  ['absolute', (path) => `http://x${path}`],
  ['with a fragment', (path) => `${path}#x`],
  ['with a query', (path) => `${path}?x=/y`],
  ['with "/" at its end', (path) => `${path}/`],
];

describe.each(SPELLINGS)('an address %s', (_, spell) => {
  test.each([
    ['/metrics', 'metrics'],
    ['/api/v1/operator/spaces', 'operator'],
    ['/api/v1/notes/1', 'public'],
  ])('%s is served only by its own listener', async (path, own) => {
    for (const [name, port] of Object.entries(ports)) {
      const { status, body } = await get(port, spell(path));
      expect([name, status]).toEqual([name, name === own ? 200 : 404]);
      if (name !== own) expect(body).toEqual({ ok: false, error: 'not found', code: 'not_found' });
    }
  });
});

test.each(['//metrics', '/Metrics', '/./metrics', '/metrics/x', '/metrics;x'])(
  '%s is not a spelling of /metrics on any listener',
  async (target) => {
    for (const port of Object.values(ports)) expect((await get(port, target)).status).toBe(404);
  },
);

test('the wrong method of a private route gets 404 elsewhere and 405 on its own listener', async () => {
  const wrong = (port: number): Promise<RawAnswer> =>
    send(port, 'POST /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  expect((await wrong(ports.public)).status).toBe(404);
  expect((await wrong(ports.operator)).status).toBe(404);
  expect(await wrong(ports.metrics)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
});

test('Allow names the methods of the most specific path, not of another with a parameter', async () => {
  const wrong = await get(ports.public, '/api/v1/notes/pinned');
  expect(wrong).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  expect((await get(ports.public, '/api/v1/notes/other')).status).toBe(200);
});

const SHAPES: [string, string, (error: string, code: string) => object][] = [
  ['any', '/api/v1/notes', (error, code) => ({ ok: false, error, code })],
  ['a plain', '/api/v1/files/1', (error) => ({ error })],
  ['a generic', '/api/v1/incoming/t', () => ({ ok: false, error: 'request rejected' })],
];
const LONG = 'y'.repeat(20_000);

describe.each(SHAPES)(
  'errors that Node would answer itself, at the address of %s route',
  (_, path, shaped) => {
    test.each<[string, number, string, string, string]>([
      ['no Host', 400, 'missing Host header', 'missing_host', 'X: y\r\nContent-Length: 0\r\n\r\n'],
      [
        'an unsupported Expect',
        ...([417, 'expectation failed', 'expectation_failed'] as const),
        'Host: x\r\nExpect: miracles\r\nContent-Length: 0\r\n\r\n',
      ],
      [
        'headers over the limit',
        ...([431, 'request header fields too large', 'headers_too_large'] as const),
        `Host: x\r\nX-Long: ${LONG}\r\n\r\n`,
      ],
      [
        'an invalid length',
        ...([400, 'bad request', 'bad_request'] as const),
        'Host: x\r\nContent-Length: abc\r\n\r\n',
      ],
      [
        'a broken chunk',
        ...([400, 'bad request', 'bad_request'] as const),
        'Host: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\nzz\r\n',
      ],
    ])('%s is %i', async (_name, status, error, code, rest) => {
      const bytes = `POST ${path} HTTP/1.1\r\nX-Request-Id: mine-1\r\nConnection: close\r\n${rest}`;
      expect(await send(ports.public, bytes)).toMatchObject({
        status,
        headers: {
          'x-request-id': 'mine-1',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        },
        body: shaped(error, code),
      });
    });
  },
);

test('an incomplete body gets 408 in the error format of its path', async () => {
  const bytes =
    'POST /api/v1/files/1 HTTP/1.1\r\nHost: x\r\nX-Request-Id: slow\r\nContent-Length: 9\r\n\r\n{';
  expect(await send(ports.public, bytes)).toMatchObject({
    status: 408,
    headers: { 'x-request-id': 'slow' },
    body: { error: 'request timeout' },
  });
});

test('a parameter that is too long gets 414 in the error format of its path', async () => {
  const bytes = `POST /api/v1/files/${'a'.repeat(600)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  expect(await send(ports.public, bytes)).toMatchObject({
    status: 414,
    headers: { 'x-request-id': expect.any(String) },
    body: { error: 'bad request' },
  });
});

test('HTTP/1.0 needs no Host', async () => {
  expect((await send(ports.public, 'GET /api/v1/notes/1 HTTP/1.0\r\n\r\n')).status).toBe(200);
});

test('the private listeners use the same texts', async () => {
  for (const port of [ports.metrics, ports.operator])
    for (const rest of ['\r\n', 'Host: x\r\nContent-Length: abc\r\n\r\n', `Host: x\r\nX: ${LONG}\r\n\r\n`]) {
      const response = await send(port, `GET /metrics HTTP/1.1\r\nConnection: close\r\n${rest}`);
      expect(response.headers).toHaveProperty('x-request-id');
      expect(response.body).toMatchObject({ ok: false, code: expect.any(String) });
    }
});

test('a client that leaves during its body is logged at level debug, without a stack', async () => {
  const socket = connect(ports.public, '127.0.0.1').on('error', () => undefined);
  socket.write('POST /api/v1/notes HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{', () =>
    socket.destroy(),
  );
  await eventually(() => expect(lines.join()).toContain('client left before the end of its body'));
  expect(lines.filter((line) => line.includes('"level":50') || line.includes('"stack"'))).toEqual([]);
});
