import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { connect } from 'node:net';
import { pino } from 'pino';
import { ConfigModule, Environment } from '@tieline/platform/config';
import { Db, openDb, runInWorkerTx } from '@tieline/platform/database';
import {
  BotOrClientApi,
  Caller,
  createHttpApp,
  HttpModule,
  RequiresScope,
  TokenResolvers,
} from '@tieline/platform/http';
import type { Principal } from '@tieline/platform/http';
import { Metrics, ObservabilityModule } from '@tieline/platform/observability';
import {
  createTestDatabase,
  cutBus,
  EventStreamClient,
  eventually,
  HeldIntervals,
  testRedisUrl,
} from '@tieline/testing';
import { Bus, sseFrame, signalAccessChange, SseModule, SseStreams } from '../index.js';
import type { SseStream } from '../index.js';
import type { SseCloseReason } from './sse-stream.js';

/** The periodic verification checks one of its portions this often. */
const SLOT_MS = 200;
/** Changes are polled this often. */
const POLL_MS = 500;
const PING_MS = 20_000;
/** Streams are pinged in this many portions. */
const PING_SLOTS = 20;

const opened: SseStream[] = [];
const reasons: (SseCloseReason | undefined)[] = [];

@Controller('stream')
class StreamController {
  constructor(private readonly streams: SseStreams) {}

  @Get()
  @BotOrClientApi()
  @RequiresScope('none')
  stream(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Caller() caller: Principal): void {
    opened.push(this.streams.open({ request, reply, caller }));
  }
}

const logger = pino({ level: 'silent' });
const database = await createTestDatabase();
const redisUrl = await testRedisUrl();
const environment = new Environment({
  DATABASE_URL: database.url,
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123',
  STREAM_KEEPALIVE_SECONDS: String(PING_MS / 1000),
  STREAMS_PER_CALLER: '1000',
  ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
});

@Module({ controllers: [StreamController] })
class StreamsModule {}

const root: DynamicModule = {
  module: StreamsModule,
  imports: [ConfigModule.of(environment), HttpModule, ObservabilityModule.of(logger), SseModule],
};

/** Clears changes of other tests, which the first poll of a process would report. */
async function forgetChanges(): Promise<void> {
  const db = await openDb({ databaseUrl: database.url });
  await db.query('DELETE FROM access_changes');
  await db.close();
}

afterAll(() => database.drop());

describe('event streams', () => {
  let intervals: HeldIntervals;
  let app: NestFastifyApplication;
  let streams: SseStreams;
  let url: string;
  /** Currently valid tokens. Tests can insert a slow or failing resolver. */
  let lookUps: string[];
  const callers = new Map<string, Principal>();
  let obstacle: () => Promise<void>;

  beforeEach(async () => {
    // Pings, the periodic verification and polls run only when a test lets time pass.
    intervals = new HeldIntervals(SLOT_MS, POLL_MS, PING_MS / PING_SLOTS);
    await forgetChanges();
    opened.length = 0;
    reasons.length = 0;
    obstacle = () => Promise.resolve();
    lookUps = [];
    callers.clear();
    callers.set('tlb_one', { kind: 'bot', botId: 'one', spaceId: 's', channelIds: [], scopes: 'all' });
    callers.set('tlb_two', { kind: 'bot', botId: 'two', spaceId: 's', channelIds: [], scopes: 'all' });
    await start();
  });
  afterEach(async () => {
    await app.close();
    intervals.release();
  });

  async function start(): Promise<void> {
    app = await createHttpApp(root, { logger, nestLogger: false });
    app.get(TokenResolvers).register('tlb_', async (token) => {
      lookUps.push(token);
      await obstacle();
      return callers.get(token);
    });
    streams = app.get(SseStreams);
    streams.observe((_, closed) => reasons.push(closed));
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/stream`;
  }

  /** Records a change as the write to a bot, person or space does. */
  const change = (id: string): Promise<void> =>
    runInWorkerTx(app.get(Db), (tx) => signalAccessChange(tx, id));

  /** Lets the periodic verification check this many tokens. The next one is ten seconds later. */
  const verify = async (tokens: number): Promise<void> => {
    const before = lookUps.length;
    await intervals.pass(tokens * SLOT_MS);
    await eventually(() => lookUps.length === before + tokens);
  };

  /** Opens a stream and returns both ends after its first verification. */
  async function open(
    token = 'tlb_one',
    headers: Record<string, string> = {},
  ): Promise<{ client: EventStreamClient; stream: SseStream }> {
    const client = await EventStreamClient.open(url, token, headers);
    const stream = opened.at(-1);
    if (stream === undefined) throw new Error(`no stream: ${client.status} ${client.body}`);
    await eventually(() => lookUps.length >= 2 * opened.length, { everyMs: 1 });
    return { client, stream };
  }

  test('headers are sent immediately and forbid caching, buffering and transformation', async () => {
    const { client } = await open('tlb_one', { 'x-request-id': 'abc' });
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': 'abc',
    });
    expect(client.events).toEqual([]);
    expect(streams.count).toBe(1);
  });

  test('an event is one data line, and line breaks stay inside the JSON', async () => {
    const { client, stream } = await open();
    const event = { event: 'message.new', text: 'a\nb\r\n\u2028:ping\n\ndata: x' };
    expect(stream.send(sseFrame(event))).toBe(true);
    await client.until(({ events }) => events.length === 1);
    expect(client.events).toEqual([event]);
  });

  test('an event counts as handed over only when the network has taken all of it', async () => {
    const { client, stream } = await open();
    let handedOver = 0;
    client.pause();
    // Much more than the kernel buffers for a reader that does not read.
    const frame = sseFrame({ text: 'x'.repeat(500_000) });
    for (let sent = 0; sent < 60 && stream.bufferedBytes < 600_000; sent += 1) {
      stream.send(frame, () => (handedOver += 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.close('slow');
    client.resume();
    await client.until(({ ended }) => ended);
    expect(handedOver).toBeGreaterThan(0);
    expect(client.events).toHaveLength(handedOver);
  });

  test('every stream gets a :ping every STREAM_KEEPALIVE_SECONDS', async () => {
    const clients = await Promise.all(Array.from({ length: 30 }, async () => (await open()).client));
    for (const count of [1, 2, 3]) {
      await intervals.pass(PING_MS);
      for (const stream of opened) stream.send(sseFrame({ event: 'mark' }));
      await Promise.all(clients.map((client) => client.until(({ events }) => events.length === count)));
      expect(clients.map(({ pings }) => pings.length)).toEqual(clients.map(() => count));
    }
  });

  test('a missing, malformed or unknown token is refused with the usual body', async () => {
    const refused = await EventStreamClient.open(url, 'tlb_unknown');
    await refused.until(({ ended }) => ended);
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.body)).toEqual({
      ok: false,
      error: 'invalid or revoked token',
      code: 'invalid_token',
    });
    expect((await fetch(url)).status).toBe(401);
    expect(streams.count).toBe(0);
  });

  test('HEAD opens no stream', async () => {
    const { status } = await fetch(url, { method: 'HEAD', headers: { authorization: 'Bearer tlb_one' } });
    expect(status).toBe(405);
    expect(streams.count).toBe(0);
  });

  test('a disconnected client is removed', async () => {
    const { client, stream } = await open();
    client.close();
    await eventually(() => streams.count === 0);
    expect(stream.closed).toBe('client');
    expect(stream.send(sseFrame({}))).toBe(false);
    expect(reasons).toEqual([undefined, 'client']);
    const metrics = await app.get(Metrics).text();
    expect(metrics).toContain('tieline_streams_open 0');
    expect(metrics).toContain('tieline_streams_closed_total{reason="client"} 1');
  });

  test('a client that disconnects during the token lookup leaves nothing behind', async () => {
    let letIn: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      obstacle = () => {
        resolve();
        return new Promise<void>((go) => (letIn = go));
      };
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer tlb_one\r\n\r\n');
    await asked;
    const server = app.getHttpServer() as {
      getConnections(answer: (error: Error | null, count: number) => void): void;
    };
    socket.destroy();
    await eventually(
      () => new Promise<boolean>((resolve) => server.getConnections((_, count) => resolve(count === 0))),
    );
    letIn();
    await eventually(() => opened.length === 1);
    expect(opened[0]?.closed).toBe('client');
    expect(streams.count).toBe(0);
  });

  test('a stuck reader is disconnected at the limit, and its buffer never exceeds the limit', async () => {
    const { client, stream } = await open();
    client.pause();
    const frame = sseFrame({ text: 'x'.repeat(64 * 1024) });
    let most = 0;
    await eventually(
      () => {
        const taken = stream.send(frame);
        most = Math.max(most, stream.bufferedBytes);
        return !taken;
      },
      { everyMs: 0 },
    );
    expect(stream.closed).toBe('slow');
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(1_048_576);
    expect(streams.count).toBe(0);
    client.resume();
    await client.until(({ ended }) => ended);
  });

  test('a stuck reader below the limit is disconnected after three pings', async () => {
    const { client, stream } = await open();
    client.pause();
    const frame = sseFrame({ text: 'x'.repeat(64 * 1024) });
    await eventually(() => stream.send(frame) && stream.bufferedBytes > 2 * frame.length, { everyMs: 0 });
    expect(stream.bufferedBytes).toBeLessThan(1_048_576);
    await intervals.pass(2 * PING_MS);
    expect(stream.closed).toBeUndefined();
    await intervals.pass(PING_MS);
    expect(stream.closed).toBe('slow');
  });

  test('a slow reader does not delay others', async () => {
    const stuck = await open();
    const healthy = await open('tlb_two');
    stuck.client.pause();
    const frame = sseFrame({ text: 'x'.repeat(64 * 1024) });
    let sent = 0;
    await eventually(
      async () => {
        healthy.stream.send(frame);
        sent += 1;
        await healthy.client.until(({ events }) => events.length === sent);
        return !stuck.stream.send(frame);
      },
      { everyMs: 0 },
    );
    expect(healthy.stream.closed).toBeUndefined();
    expect(healthy.client.events).toHaveLength(sent);
  });

  test('a revoked token ends its streams immediately and no others', async () => {
    const first = await open();
    const second = await open();
    const other = await open('tlb_two');
    callers.delete('tlb_one');
    await change('one');
    await Promise.all([first.client, second.client].map((client) => client.until(({ ended }) => ended)));
    expect(first.stream.closed).toBe('revoked');
    expect(other.stream.closed).toBeUndefined();
  });

  test('disabling a space ends the streams of all its bots and people', async () => {
    callers.set('tlb_else', { kind: 'bot', botId: 'else', spaceId: 'other', channelIds: [], scopes: 'all' });
    const [one, two, elsewhere] = [await open(), await open('tlb_two'), await open('tlb_else')];
    callers.clear();
    await change('s');
    await Promise.all([one, two].map(({ client }) => client.until(({ ended }) => ended)));
    expect(elsewhere.stream.closed).toBeUndefined();
  });

  test('a change during the token lookup causes another lookup', async () => {
    const { client } = await open();
    let goOn: () => void = () => undefined;
    obstacle = () => new Promise((go) => (goOn = go));
    const asked = lookUps.length;
    await change('one');
    await eventually(() => lookUps.length > asked);
    const stale = callers.get('tlb_one') as Principal;
    await change('one');
    await new Promise((resolve) => {
      const end = app.get(Bus).subscribe('mark', () => (end(), resolve(undefined)));
      app.get(Bus).publish('mark', 1);
    });
    obstacle = () => Promise.resolve(void callers.delete('tlb_one'));
    expect(callers.get('tlb_one')).toBe(stale);
    goOn();
    await client.until(({ ended }) => ended);
  });

  test('a token revoked between the guard and the stream ends the stream too', async () => {
    let letIn: () => void = () => undefined;
    obstacle = () => new Promise((go) => (letIn = go));
    const opening = EventStreamClient.open(url, 'tlb_one');
    await eventually(() => lookUps.length === 1);
    await change('one');
    obstacle = () => Promise.resolve(void callers.delete('tlb_one'));
    letIn();
    await (await opening).until(({ ended }) => ended);
  });

  test('after news lost with the bus connection the stream ends when the bus reconnects', async () => {
    const { client } = await open();
    const bus = app.get(Bus);
    const down = new Promise<void>((resolve) => {
      const watch = (): void => void (bus.connected ? setImmediate(watch) : resolve());
      watch();
    });
    await cutBus(app.get(Db), redisUrl);
    await down;
    callers.delete('tlb_one');
    bus.publish('access', ['one']);
    await client.until(({ ended }) => ended);
  });

  test('after news lost silently the stream ends with the next poll', async () => {
    const first = await open();
    const other = await open('tlb_two');
    // The process that made the change died before it could publish it.
    const elsewhere = await openDb({ databaseUrl: database.url });
    await verify(2);
    callers.delete('tlb_one');
    await runInWorkerTx(elsewhere, (tx) => signalAccessChange(tx, 'one'));
    await intervals.pass(POLL_MS - 2 * SLOT_MS);
    await first.client.until(({ ended }) => ended);
    expect(first.stream.closed).toBe('revoked');
    expect(other.stream.closed).toBeUndefined();
    await elsewhere.close();
  });

  test('a change committed during the first poll ends streams even without news', async () => {
    await app.close();
    const elsewhere = await openDb({ databaseUrl: database.url });
    const writer = await elsewhere.pool.connect();
    await writer.query('BEGIN');
    await writer.query('LOCK TABLE access_changes IN ACCESS EXCLUSIVE MODE');
    await start();
    const { client } = await open();
    const asked = lookUps.length;
    await intervals.pass(POLL_MS);
    // The periodic verification was before the change.
    await eventually(() => lookUps.length === asked + 1);
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'access_changes'::regclass`;
    await eventually(async () => expect(await elsewhere.query(waiting)).toHaveLength(1));
    callers.delete('tlb_one');
    await writer.query(`INSERT INTO access_changes (subject_id) VALUES ('one')`);
    await writer.query('COMMIT');
    await client.until(({ ended }) => ended);
    writer.release();
    await elsewhere.close();
  });

  test('a change received over the bus is not verified again when the table reports it', async () => {
    const elsewhere = await openDb({ databaseUrl: database.url });
    callers.set('tlb_mark', { kind: 'bot', botId: 'mark', spaceId: 's', channelIds: [], scopes: 'all' });
    await open();
    await open('tlb_mark');
    await verify(2);
    const asked = lookUps.length;
    await change('one');
    await eventually(() => lookUps.length === asked + 1);
    for (const [polls, ms] of [POLL_MS - 2 * SLOT_MS, POLL_MS].entries()) {
      await runInWorkerTx(elsewhere, (tx) => signalAccessChange(tx, 'mark'));
      await intervals.pass(ms);
      await eventually(() => lookUps.length === asked + polls + 2);
    }
    expect(lookUps.slice(asked)).toEqual(['tlb_one', 'tlb_mark', 'tlb_mark']);
    await elsewhere.close();
  });

  test('changes are deleted after an hour', async () => {
    const db = app.get(Db);
    await change('one');
    await db.query(`UPDATE access_changes SET changed_at = now() - interval '61 minutes'`);
    await change('two');
    expect(await db.query('SELECT subject_id FROM access_changes')).toEqual([{ subject_id: 'two' }]);
  });

  test('a revocation without news is found by the periodic verification within ten seconds', async () => {
    const { client, stream } = await open();
    await verify(1);
    callers.delete('tlb_one');
    await intervals.pass(10_000);
    await client.until(({ ended }) => ended);
    expect(stream.closed).toBe('revoked');
  });

  test('idle streams are verified every ten seconds, spread evenly', async () => {
    const tokens = Array.from({ length: 50 }, (_, n) => `tlb_n${n}`);
    for (const token of tokens)
      callers.set(token, { kind: 'bot', botId: token, spaceId: 's', channelIds: [], scopes: 'all' });
    for (const token of tokens) await open(token);
    const before = lookUps.length;
    for (const count of [20, 50]) {
      await intervals.pass(count === 20 ? 4000 : 6000);
      await eventually(() => lookUps.length === before + count);
      expect(new Set(lookUps.slice(before)).size).toBe(count);
    }
  });

  test('a token that now belongs to another caller also ends the stream', async () => {
    const { client } = await open();
    callers.set('tlb_one', { kind: 'bot', botId: 'two', spaceId: 's', channelIds: [], scopes: 'all' });
    await change('one');
    await client.until(({ ended }) => ended);
  });

  test('streams stay open while tokens cannot be looked up, and are verified afterwards', async () => {
    const { client, stream } = await open();
    let failures = 0;
    obstacle = () => {
      failures += 1;
      return Promise.reject(new Error('away'));
    };
    await change('one');
    await eventually(() => failures >= 3);
    expect(stream.closed).toBeUndefined();
    callers.clear();
    obstacle = () => Promise.resolve();
    await client.until(({ ended }) => ended);
  });

  test('a shutdown ends every stream after its written data, and opens no new ones', async () => {
    const { client, stream } = await open();
    stream.send(sseFrame({ event: 'last' }));
    await app.close();
    await client.until(({ ended }) => ended);
    expect(client.events).toEqual([{ event: 'last' }]);
    expect(stream.closed).toBe('shutdown');
    const reply = {} as FastifyReply;
    expect(() =>
      streams.open({
        request: { method: 'GET' } as FastifyRequest,
        reply,
        caller: callers.get('tlb_one') as Principal,
      }),
    ).toThrow('service unavailable');
  });
});
