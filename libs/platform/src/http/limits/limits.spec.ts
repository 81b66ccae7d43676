import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { Body, Controller, Get, HttpCode, Module, Post, Req, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { eventually } from '@tieline/testing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { ConfigModule, Environment, RequestLimits } from '../../config/index.js';
import { createHttpApp } from '../app.js';
import { BotApi, Caller, callerKey, OperatorApi } from '../callers/authentication.js';
import { RequiresScope } from '../callers/route-scopes.js';
import { HttpModule } from '../http.module.js';
import { TokenResolvers } from '../callers/principals.js';
import type { Principal } from '../callers/principals.js';
import { StreamedBody } from '../streamed-body.js';
import { Slots } from './slots.js';

const BIG = 'x'.repeat(32 * 1_048_576);
const turns = new Slots(1);
/** How long a request waits for its turn. */
let turnMs = 400;
let release: (() => void) | undefined;

@Controller('api/v1')
@BotApi()
@RequiresScope('none')
class LimitsController {
  @Post('notes') @HttpCode(200) note(@Body() body: object): object {
    return body;
  }
  @Get('big') big(): string {
    return BIG;
  }
  @Get('held') held(): Promise<string> {
    return new Promise((resolve) => (release = () => resolve('done')));
  }
  @Get('in-turn') async inTurn(
    @Caller() caller: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    await turns.enterInTurn(callerKey(caller), reply.raw, turnMs);
    return this.held();
  }
  @Post('bytes') @StreamedBody() async bytes(@Req() request: FastifyRequest): Promise<string> {
    return `${(await text(request.raw)).length}`;
  }
}

@Controller('api/v1')
class OperatorController {
  @Get('operator') @OperatorApi() one(): string {
    return 'yes';
  }
}

const variables = {
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123',
  HTTP_HEADERS_TIMEOUT_SECONDS: '1',
  HTTP_REQUEST_TIMEOUT_SECONDS: '6',
  HTTP_STALLED_SECONDS: '1',
  HTTP_UNFINISHED_BODY_BYTES: '1048576',
  HTTP_MAX_CONNECTIONS: '20',
  REQUESTS_PER_CALLER: '2',
  RATE_OPERATOR_FAILURES_PER_MINUTE: '3',
};
const environment = new Environment(variables);

@Module({
  imports: [ConfigModule.of(environment), HttpModule],
  controllers: [LimitsController, OperatorController],
})
class LimitsModule {}

let app: NestFastifyApplication;
const sockets: Socket[] = [];
beforeAll(async () => {
  const limits = new RequestLimits(environment);
  app = await createHttpApp(LimitsModule, {
    logger: pino({ level: 'silent' }),
    nestLogger: false,
    mayLackRates: true,
    limits,
  });
  app.get(TokenResolvers).register('tlb_', async (token) => ({
    kind: 'bot',
    botId: token,
    spaceId: 's',
    channelIds: [],
    scopes: 'all',
  }));
  await app.listen(0, '127.0.0.1');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  release?.();
});
afterAll(() => app.close());

/** A connection after sending these bytes; `answer` has what was received. */
class Client {
  answer = '';
  closed = false;

  private constructor(readonly socket: Socket) {
    socket.on('error', () => undefined).on('close', () => (this.closed = true));
  }

  static async send(bytes: string, { reads = true } = {}): Promise<Client> {
    const client = new Client(connect(Number(new URL(await app.getUrl()).port), '127.0.0.1'));
    sockets.push(client.socket);
    if (reads) client.socket.on('data', (part: Buffer) => (client.answer += part.toString()));
    client.socket.write(bytes);
    return client;
  }

  get status(): string | undefined {
    return /^HTTP\/1.1 (\d+)/.exec(this.answer)?.[1];
  }
}

const post = (path: string, length: number, sent: string, token = 'tlb_a'): string =>
  `POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${length}\r\n\r\n${sent}`;
const get = (path: string, token = 'tlb_a'): Promise<Response> => {
  const { port } = new URL(`http://127.0.0.1:${(app.getHttpServer().address() as { port: number }).port}`);
  return fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
};
const bodies = (): number => app.getHttpAdapter().getInstance().unfinishedBodies.bytes;

test.each([
  ['missing', '', 'missing authorization header'],
  ['malformed', 'Authorization: Basic abc\r\n', 'invalid authorization format'],
  [
    'a session on a bot route',
    `Cookie: tieline_session=tls_${'A'.repeat(43)}\r\n`,
    'missing authorization header',
  ],
])('does not wait for a body whose Authorization is %s', async (_, header, error) => {
  const client = await Client.send(
    `POST /api/v1/notes HTTP/1.1\r\nHost: x\r\n${header}Content-Length: 1000\r\n\r\n{`,
  );
  await eventually(() => expect(client.answer).toContain(error));
  expect([client.status, bodies()]).toEqual(['401', 0]);
});

test('incomplete headers and bodies get 408 in time; an upload may take longer', async () => {
  const begun = Date.now();
  const headers = await Client.send('POST /api/v1/notes HTTP/1.1\r\nHost: x\r\n');
  const body = await Client.send(post('notes', 10, '{'));
  const upload = await Client.send(post('bytes', 4, 'ab'));
  await eventually(() => expect([headers.status, headers.closed]).toEqual(['408', true]));
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1000);
  await eventually(() => expect([body.status, body.closed]).toEqual(['408', true]));
  expect(Date.now() - begun).toBeGreaterThanOrEqual(6000);
  await sleep(1000);
  upload.socket.write('cd');
  await eventually(() => expect(upload.answer).toMatch(/\r\n\r\n4$/));
});

test('limits the bytes of unfinished bodies per process: beyond it the oldest gets 408', async () => {
  const half = 'x'.repeat(600_000);
  const oldest = await Client.send(post('notes', 700_000, half));
  await eventually(() => bodies() === 600_000);
  const newer = await Client.send(post('notes', 700_000, half, 'tlb_b'));
  await eventually(() => expect([oldest.status, oldest.closed]).toEqual(['408', true]));
  expect([newer.closed, bodies()]).toEqual([false, 600_000]);
  newer.socket.destroy();
  await eventually(() => bodies() === 0);
});

/** The server's end of a client's connection. */
const serverEnds = new Map<number, Socket>();

test('an unread answer is destroyed, a slow reader gets all of it', async () => {
  app.getHttpServer().on('connection', (end: Socket) => serverEnds.set(end.remotePort ?? 0, end));
  // Separate callers: aborted requests of earlier tests may still count.
  const request = (token: string): string =>
    `GET /api/v1/big HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const unread = await Client.send(request('tlb_unread'), { reads: false });
  const slow = await Client.send(request('tlb_slow'), { reads: false });
  let got = 0;
  slow.socket.on('data', (part: Buffer) => {
    const before = got;
    got += part.length;
    // A pause after every two megabytes.
    if (Math.floor(before / 2_000_000) === Math.floor(got / 2_000_000) || got > 12_000_000) return;
    slow.socket.pause();
    setTimeout(() => slow.socket.resume(), 300);
  });
  const cut = (): boolean | undefined => serverEnds.get(unread.socket.localPort ?? 0)?.destroyed;
  await eventually(() => expect(cut()).toBe(true));
  await eventually(() => expect(got).toBeGreaterThan(BIG.length));
  unread.socket.resume();
  await eventually(() => unread.closed);
});

test('limits the requests of one caller, including unread answers', async () => {
  const first = get('held', 'tlb_bounded');
  await eventually(() => release !== undefined);
  // An unread answer is destroyed after a second, which may be too soon on a busy machine.
  await eventually(async () => {
    await Client.send('GET /api/v1/big HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer tlb_bounded\r\n\r\n', {
      reads: false,
    });
    expect((await get('notes-none', 'tlb_bounded')).status).toBe(404);
    const refused = await fetch(`${await app.getUrl()}/api/v1/notes`, {
      method: 'POST',
      headers: { authorization: 'Bearer tlb_bounded' },
      body: '{}',
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  });
  const other = await fetch(`${await app.getUrl()}/api/v1/notes`, {
    method: 'POST',
    headers: { authorization: 'Bearer tlb_b' },
    body: '{}',
  });
  expect(other.status).toBe(200);
  release?.();
  expect((await first).status).toBe(200);
});

test('a read waits for an earlier one of the same caller, and gets 429 if that takes too long', async () => {
  release = undefined;
  const first = get('in-turn');
  await eventually(() => release !== undefined);
  const end = release!;
  expect((await get('in-turn')).status).toBe(429);
  turnMs = 60_000;
  release = undefined;
  const next = get('in-turn');
  await sleep(50);
  expect(release).toBeUndefined();
  end();
  await eventually(() => release !== undefined);
  (release as unknown as () => void)();
  expect([(await first).status, (await next).status]).toEqual([200, 200]);
});

test('after too many wrong operator tokens further ones get 429, and the correct one is accepted', async () => {
  const answers: number[] = [];
  for (const token of ['one', 'two', 'three', 'four', variables.OPERATOR_TOKEN])
    answers.push((await get('operator', token)).status);
  expect(answers).toEqual([401, 401, 401, 429, 200]);
});

test('connections over HTTP_MAX_CONNECTIONS are closed', async () => {
  const clients = await Promise.all(Array.from({ length: 25 }, () => Client.send('')));
  await eventually(() => expect(clients.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(5));
});
