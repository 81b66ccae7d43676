import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Body, Controller, Get, HttpCode, Module, Param, Post, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { IsOptional } from 'class-validator';
import { pino } from 'pino';
import { ConfigModule, Environment } from '../config/index.js';
import { badRequest, ApiError } from './api-error.js';
import { NestedList } from './bodies/nested.js';
import { createHttpApp } from './app.js';
import {
  AdminApi,
  BotApi,
  BotOrClientApi,
  Caller,
  ClientApi,
  OperatorApi,
} from './callers/authentication.js';
import { RequiresScope } from './callers/route-scopes.js';
import { ErrorShape } from './error-shape.js';
import { HttpModule } from './http.module.js';
import { serveOpenApi } from './openapi/openapi.js';
import { TokenResolvers } from './callers/principals.js';
import type { Principal } from './callers/principals.js';
import { UnparsedBody } from './json-body.js';
import type { RawBodyRequest } from './json-body.js';
import { StreamedBody } from './streamed-body.js';
import { IsText, IsUuid, UuidParam } from './validation.js';

class PartDto {
  @IsText(1, 5)
  text: string;
}

class NoteDto {
  @IsText(1, 5, 'text must have 1 to 5 characters')
  text: string;

  @IsUuid()
  id: string;

  @IsOptional()
  @NestedList(() => PartDto)
  parts?: PartDto[];
}

const ID = '0190F2A4-7C1B-7000-8000-00000000ABCD';

@Controller('api/v1')
class NotesController {
  @Post('notes')
  @HttpCode(200)
  @BotApi()
  @RequiresScope('none')
  note(@Body() body: NoteDto, @Caller() caller: Principal): unknown {
    return { ok: true, body, caller };
  }

  @Get('notes/:id')
  @BotApi()
  @RequiresScope('none')
  one(@UuidParam('id') id: string): unknown {
    return { id };
  }

  @Post('open')
  open(@Body() body: object): unknown {
    return { ok: true, body };
  }

  @Post('form') @HttpCode(200) @UnparsedBody() form(
    @Body() body: unknown,
    @Req() request: RawBodyRequest,
  ): unknown {
    return { body: body ?? 'unparsed', raw: request.rawBody?.toString() };
  }

  @Get('client') @ClientApi() @RequiresScope('none') client(): unknown {
    return { ok: true };
  }
  @Get('admin') @AdminApi() admin(): unknown {
    return { ok: true };
  }
  @Get('operator') @OperatorApi() operator(): unknown {
    return { ok: true };
  }
  @Get('both') @BotOrClientApi() @RequiresScope('none') both(): unknown {
    return { ok: true };
  }
  @Post('dull/:token') @ErrorShape('generic', { undecodable: 401 }) dull(): unknown {
    throw new ApiError(401, 'bad_signature', 'bad signature');
  }
  @Get('boom') boom(): unknown {
    throw new Error('SELECT secret FROM internals');
  }
  @Get('named') @ErrorShape('standard', { internal: 'failed to send message' }) named(): unknown {
    throw new Error('SELECT secret FROM internals');
  }
  @Get('failed/:code') failed(@Param('code') code: string): unknown {
    throw Object.assign(new Error('canceling statement'), { code });
  }
  @Get('lost') lost(): unknown {
    throw new Error('Connection terminated unexpectedly');
  }
}

@Controller('api/v1/plain')
@BotApi()
@RequiresScope('none')
@ErrorShape('plain')
class PlainController {
  @Get('x') refused(): unknown {
    throw badRequest('unsupported_mime_type', 'unsupported MIME', 'mime_type');
  }
  @Post('notes') note(@Body() body: NoteDto): unknown {
    return body;
  }
  @Post(':id/bytes') @StreamedBody() bytes(@UuidParam('id') id: string): unknown {
    return id;
  }
}

const environment = new Environment({
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123',
});

@Module({
  imports: [ConfigModule.of(environment), HttpModule],
  controllers: [NotesController, PlainController],
})
class NotesModule {}

const principals: Record<string, Principal> = {
  tlb_bot: { kind: 'bot', botId: 'b', spaceId: 's', channelIds: [], scopes: 'all' },
  tlu_member: { kind: 'user', userId: 'u', spaceId: 's', role: 'member', scopes: 'all' },
  tlu_admin: { kind: 'user', userId: 'a', spaceId: 's', role: 'admin', scopes: 'all' },
};

describe('every route', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const silent = pino({ level: 'silent' });
    app = await createHttpApp(NotesModule, { logger: silent, nestLogger: false, mayLackRates: true });
    const resolvers = app.get(TokenResolvers);
    resolvers.register('tlb_', async (token) => principals[token]);
    resolvers.register('tlu_', async (token) => principals[token]);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  async function call(
    method: string,
    path: string,
    {
      token = 'tlb_bot',
      body,
      headers = {},
    }: { token?: string | null; body?: string; headers?: Record<string, string> } = {},
  ) {
    const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${await app.getUrl()}${path}`, {
      method,
      body,
      headers: { ...authorization, 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  test.each(['a=1', '{"a":1}', '{'])('a route with an unparsed body reads it itself: %s', async (body) => {
    const answer = await call('POST', '/api/v1/form', { body });
    expect([answer.status, answer.body]).toEqual([200, { body: 'unparsed', raw: body }]);
  });

  test('a valid body reaches the controller without its unknown fields and with its uuid in lower case', async () => {
    const { status, body } = await call('POST', '/api/v1/notes', {
      body: JSON.stringify({ text: '😀😀😀😀😀', id: ID, space_id: 'x' }),
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      body: { text: '😀😀😀😀😀', id: ID.toLowerCase() },
      caller: principals.tlb_bot,
    });
  });

  test.each([
    ['no JSON', '{"text":', 'invalid JSON'],
    ['an array', '[]', 'invalid JSON'],
    [
      'nested deeper than any stack',
      `{"text":${'['.repeat(100_000)}"\\u0041"${']'.repeat(100_000)}}`,
      'invalid JSON',
    ],
    ['a string', '"x"', 'invalid JSON'],
    ['null', 'null', 'invalid JSON'],
    ['nothing', '', 'invalid JSON'],
    ['a broken rule', JSON.stringify({ text: '', id: ID }), 'text must have 1 to 5 characters'],
    ['six characters', JSON.stringify({ text: '😀😀😀😀😀😀', id: ID }), 'text must have 1 to 5 characters'],
    ['a NUL', JSON.stringify({ text: 'a\0', id: ID }), 'text must not contain NUL characters'],
    ['a malformed uuid', JSON.stringify({ text: 'a', id: '12' }), 'id must be a uuid'],
  ])('a body of %s gets 400', async (_, body, error) => {
    expect(await call('POST', '/api/v1/notes', { body })).toMatchObject({
      status: 400,
      body: { ok: false, error },
    });
  });

  test('authentication fails before the body is parsed', async () => {
    const body = '{"text":';
    expect(await call('POST', '/api/v1/notes', { body, token: null })).toMatchObject({
      status: 401,
      body: { error: 'missing authorization header' },
    });
    expect(await call('POST', '/api/v1/notes', { body, token: 'tlu_member' })).toMatchObject({
      status: 401,
      body: { error: 'invalid or revoked token' },
    });
    expect(await call('POST', '/api/v1/open', { body, token: null })).toMatchObject({
      status: 400,
      body: { error: 'invalid JSON' },
    });
  });

  test('a byte order mark before JSON is skipped', async () => {
    const body = `\uFEFF${JSON.stringify({ text: 'a', id: ID })}`;
    expect((await call('POST', '/api/v1/notes', { body })).status).toBe(200);
  });

  test.each([
    ['gzip', 415],
    ['br', 415],
    ['identity', 200],
  ])('a body with the content encoding %s is %i', async (encoding, status) => {
    const body = JSON.stringify({ text: 'a', id: ID });
    const response = await call('POST', '/api/v1/notes', { body, headers: { 'content-encoding': encoding } });
    expect(response.status).toBe(status);
    if (status === 415)
      expect(response.body).toEqual({
        ok: false,
        error: 'content-encoding is not supported: send the body uncompressed',
        code: 'content_encoding_unsupported',
      });
  });

  test('a lone surrogate becomes U+FFFD', async () => {
    const { body } = await call('POST', '/api/v1/notes', { body: `{"text":"a\\ud800","id":"${ID}"}` });
    expect(body).toMatchObject({ body: { text: 'a\uFFFD' } });
  });

  test('a body over 1 MiB gets 413', async () => {
    expect(
      await call('POST', '/api/v1/notes', { body: JSON.stringify({ text: 'x'.repeat(1_048_576) }) }),
    ).toMatchObject({ status: 413, body: { ok: false } });
  });

  test.each([
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json;charset="',
    '__proto__/constructor',
    'x',
    '',
  ])('a body of the content type \"%s\" is read as JSON', async (type) => {
    const headers = { 'content-type': type };
    expect(
      (await call('POST', '/api/v1/notes', { body: JSON.stringify({ text: 'a', id: ID }), headers })).status,
    ).toBe(200);
  });

  test.each([
    [null, 401, 'missing authorization header'],
    ['tlb_unknown', 401, 'invalid or revoked token'],
    ['tlu_member', 401, 'invalid or revoked token'],
    ['plain', 401, 'invalid or revoked token'],
  ])('token %s on a bot route is %i', async (token, status, error) => {
    expect(await call('GET', `/api/v1/notes/${ID}`, { token })).toMatchObject({
      status,
      body: { ok: false, error },
    });
  });

  test('an unknown scheme or no token gets 401 invalid authorization format, and the scheme is case-insensitive', async () => {
    const path = `/api/v1/notes/${ID}`;
    expect(await call('GET', path, { token: null, headers: { authorization: 'Basic abc' } })).toMatchObject({
      status: 401,
      body: { error: 'invalid authorization format' },
    });
    expect(await call('GET', path, { token: null, headers: { authorization: 'Bearer' } })).toMatchObject({
      status: 401,
      body: { error: 'invalid authorization format' },
    });
    expect(
      (await call('GET', path, { token: null, headers: { authorization: 'bEARER tlb_bot' } })).status,
    ).toBe(200);
  });

  test.each([
    ['client', 'tlb_bot', 403],
    ['client', 'tlu_member', 200],
    ['admin', 'tlb_bot', 403],
    ['admin', 'tlu_member', 403],
    ['admin', 'tlu_admin', 200],
    ['operator', 'tlu_admin', 401],
    ['operator', 'operator-token-0123', 200],
    ['both', 'tlb_bot', 200],
    ['both', 'tlu_member', 200],
    ['both', 'operator-token-0123', 401],
  ])('/%s with %s is %i', async (path, token, status) => {
    expect((await call('GET', `/api/v1/${path}`, { token })).status).toBe(status);
  });

  test('a malformed uuid in a path gets 404', async () => {
    expect(await call('GET', '/api/v1/notes/12')).toMatchObject({
      status: 404,
      body: { ok: false, error: 'not found' },
    });
  });

  test('an unknown path gets 404, a known one with a wrong method 405 with Allow', async () => {
    expect((await call('GET', '/api/v1/nothing')).status).toBe(404);
    const wrong = await call('DELETE', '/api/v1/notes', { token: null });
    expect(wrong).toMatchObject({ status: 405, body: { ok: false } });
    expect(wrong.headers.get('allow')).toBe('POST');
  });

  test.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['over 1 MiB', 'x'.repeat(1_048_577)],
  ])('a body that is %s does not change 404 and 405', async (_, body) => {
    expect(await call('PUT', '/api/v1/nothing', { body })).toMatchObject({
      status: 404,
      body: { ok: false, error: 'not found' },
    });
    const wrong = await call('PUT', '/api/v1/notes', { body });
    expect(wrong).toMatchObject({ status: 405, body: { ok: false, error: 'method not allowed' } });
    expect(wrong.headers.get('allow')).toBe('POST');
  });

  test.each([
    ['thrown by the handler', 'GET', '/x', 400, 'unsupported MIME', {}],
    ['of the guard', 'GET', '/x', 401, 'missing authorization header', { token: null }],
    ['of a body that is not JSON', 'POST', '/notes', 400, 'invalid JSON', { body: '{' }],
    ['of a missing field', 'POST', '/notes', 400, 'text is required', { body: '{}' }],
    [
      'of a body over 1 MiB',
      'POST',
      '/notes',
      413,
      'request body too large',
      { body: 'x'.repeat(1_048_577) },
    ],
    ['with a parameter and further configuration of the route', 'POST', '/12/bytes', 404, 'not found', {}],
    ['405', 'DELETE', '/notes', 405, 'method not allowed', {}],
    ['405 with a parameter', 'GET', '/12/bytes', 405, 'method not allowed', {}],
    ['404', 'GET', '/notes/nothing', 404, 'not found', {}],
    ['that cannot be decoded', 'GET', '/notes/%zz', 400, 'bad request', {}],
  ])('an error has the error shape of its route: %s', async (_, method, path, status, error, options) => {
    const response = await call(method, `/api/v1/plain${path}`, options);
    expect([response.status, response.body]).toEqual([status, { error }]);
  });

  test.each([
    ['thrown by the handler', 'POST', '/abc', 401],
    ['405', 'GET', '/abc', 405],
    ['404 below it', 'GET', '/abc/def', 404],
    ['404 above its parameter', 'GET', '', 404],
    ['too large', 'POST', '/abc', 413, 'x'.repeat(1_048_577)],
    ['a path that cannot be decoded', 'POST', '/%zz', 401],
  ])('a route with one body for all errors: %s', async (_, method, path, status, body = undefined) => {
    const response = await call(method, `/api/v1/dull${path}`, { body });
    expect([response.status, response.body]).toEqual([status, { ok: false, error: 'request rejected' }]);
  });

  test('a path that only begins like a route with its own error shape gets the standard shape', async () => {
    expect((await call('GET', '/api/v1/dullness')).body).toEqual({
      ok: false,
      error: 'not found',
      code: 'not_found',
    });
  });

  test.each<[string, number, object, Parameters<typeof call>]>([
    ['no token', 401, { code: 'missing_authorization' }, ['GET', `/api/v1/notes/${ID}`, { token: null }]],
    [
      'no bearer token',
      401,
      { code: 'invalid_authorization' },
      ['GET', `/api/v1/notes/${ID}`, { token: null, headers: { authorization: 'Basic abc' } }],
    ],
    ['an unknown token', 401, { code: 'invalid_token' }, ['GET', `/api/v1/notes/${ID}`, { token: 'tlb_x' }]],
    [
      "a person's token on a bot endpoint",
      401,
      { code: 'token_of_a_person', error: 'invalid or revoked token' },
      ['GET', `/api/v1/notes/${ID}`, { token: 'tlu_member' }],
    ],
    ["a bot's token elsewhere", 403, { code: 'forbidden' }, ['GET', '/api/v1/client', {}]],
    ['no JSON', 400, { code: 'invalid_json' }, ['POST', '/api/v1/notes', { body: '{' }]],
    ['a NUL', 400, { code: 'nul_character' }, ['POST', '/api/v1/notes', { body: '{"text":"\\u0000"}' }]],
    [
      'the first broken field',
      400,
      { code: 'invalid_field', field: 'text' },
      ['POST', '/api/v1/notes', { body: '{"id":"12"}' }],
    ],
    [
      'a broken item of a list',
      400,
      { code: 'invalid_field', field: 'parts[1].text' },
      [
        'POST',
        '/api/v1/notes',
        { body: JSON.stringify({ text: 'a', id: ID, parts: [{ text: 'a' }, { text: 1 }] }) },
      ],
    ],
    ['an unknown path', 404, { code: 'not_found' }, ['GET', '/api/v1/nothing', {}]],
    ['another method', 405, { code: 'method_not_allowed' }, ['DELETE', '/api/v1/notes', {}]],
    [
      'too large',
      413,
      { code: 'body_too_large' },
      ['POST', '/api/v1/notes', { body: 'x'.repeat(1_048_577) }],
    ],
    ['a path that cannot be decoded', 400, { code: 'bad_request' }, ['GET', '/api/v1/notes/%zz', {}]],
    ['an internal error', 500, { code: 'internal_error' }, ['GET', '/api/v1/boom', {}]],
    ['an internal error with its own text', 500, { code: 'internal_error' }, ['GET', '/api/v1/named', {}]],
    ['a store that is unavailable', 503, { code: 'unavailable' }, ['GET', '/api/v1/lost', {}]],
  ])('an error has a code, and the faulty field: %s', async (_, status, expected, request) => {
    const response = await call(...request);
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ ok: false, error: expect.any(String), ...expected });
  });

  test('a 500 contains no internals', async () => {
    expect(await call('GET', '/api/v1/boom')).toMatchObject({
      status: 500,
      body: { ok: false, error: 'internal error' },
    });
    expect(await call('GET', '/api/v1/named')).toMatchObject({
      status: 500,
      body: { ok: false, error: 'failed to send message' },
    });
  });

  test.each([
    ['a lock timeout', '55P03'],
    ['a statement that took too long', '57014'],
    ['an idle transaction', '25P03'],
    ['repeated deadlocks', '40P01'],
    ['no turn for a connection of the pool', 'turn_missed'],
  ])('%s gets 503 with Retry-After, not 500', async (_, code) => {
    const { status, headers } = await call('GET', `/api/v1/failed/${code}`);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('a database connection lost during a statement gets 503 with Retry-After, not 500', async () => {
    const { status, headers, body } = await call('GET', '/api/v1/lost');
    expect([status, headers.get('retry-after'), body]).toEqual([
      503,
      '1',
      { ok: false, error: 'service unavailable', code: 'unavailable' },
    ]);
  });

  test("X-Request-Id is the caller's if it is well formed, otherwise a new one", async () => {
    expect(
      (await call('GET', '/api/v1/nothing', { headers: { 'x-request-id': 'abc.DEF-1_2' } })).headers.get(
        'x-request-id',
      ),
    ).toBe('abc.DEF-1_2');
    expect(
      (await call('GET', '/api/v1/nothing', { headers: { 'x-request-id': 'a b' } })).headers.get(
        'x-request-id',
      ),
    ).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['an invalid content length', 'Content-Length: abc', 400, 'bad request', 'bad_request'],
    [
      'headers over the limit',
      `X-Long: ${'y'.repeat(20_000)}`,
      431,
      'request header fields too large',
      'headers_too_large',
    ],
  ])(
    'an unreadable request gets an error of the usual shape with a request id: %s',
    async (_, header, status, error, code) => {
      const answer = await sendBytes(`POST /api/v1/notes HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head.split('\r\n')[0]).toMatch(`HTTP/1.1 ${status} `);
      expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}/);
      expect(JSON.parse(body)).toEqual({ ok: false, error, code });
    },
  );

  async function sendBytes(bytes: string): Promise<string> {
    const { port, hostname } = new URL(await app.getUrl());
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    return text(socket);
  }
});

test('the OpenAPI document describes the routes with their errors', async () => {
  const app = await createHttpApp(NotesModule, {
    logger: pino({ level: 'silent' }),
    nestLogger: false,
    mayLackRates: true,
  });
  serveOpenApi(app, { description: 'notes' });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const document = JSON.parse((await fastify.inject('/api/openapi.json')).body) as object;
  expect(document).toHaveProperty(['paths', '/api/v1/notes', 'post', 'responses', '401']);
  const page = await fastify.inject('/api/docs');
  expect(page.statusCode).toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*/);
  await app.close();
});

test('an application with guarded writes that nothing counts does not start', async () => {
  const starting = createHttpApp(NotesModule, { logger: pino({ level: 'silent' }), nestLogger: false });
  await expect(starting).rejects.toThrow('nothing counts the writes of POST /api/v1/notes');
});

test('with hasPage: false, only the document is served', async () => {
  const app = await createHttpApp(NotesModule, {
    logger: pino({ level: 'silent' }),
    nestLogger: false,
    mayLackRates: true,
  });
  serveOpenApi(app, { description: 'notes', hasPage: false });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const statuses = await Promise.all(
    ['/api/docs', '/api/docs/', '/api/docs/swagger-ui-bundle.js', '/api/openapi.json'].map(
      async (url) => (await fastify.inject(url)).statusCode,
    ),
  );
  expect(statuses).toEqual([404, 404, 404, 200]);
  await app.close();
});
