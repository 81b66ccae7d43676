import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { ConfigModule, Environment } from '@tieline/platform/config';
import {
  BotOrClientApi,
  Caller,
  createHttpApp,
  HttpModule,
  RequiresScope,
  TokenResolvers,
} from '@tieline/platform/http';
import type { Principal } from '@tieline/platform/http';
import { ObservabilityModule } from '@tieline/platform/observability';
import { createTestDatabase, EventStreamClient, eventually, testRedisUrl } from '@tieline/testing';
import { SseModule, SseStreams } from '../index.js';
import type { SseStream } from '../index.js';

const opened: SseStream[] = [];

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

@Module({ controllers: [StreamController] })
class StreamsModule {}

const logger = pino({ level: 'silent' });
const database = await createTestDatabase();
const redisUrl = await testRedisUrl();
const environment = new Environment({
  DATABASE_URL: database.url,
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123',
  STREAMS_PER_CALLER: '2',
  STREAMS_MAX: '4',
  ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
});
const root: DynamicModule = {
  module: StreamsModule,
  imports: [ConfigModule.of(environment), HttpModule, ObservabilityModule.of(logger), SseModule],
};

let app: NestFastifyApplication;
beforeEach(async () => {
  opened.length = 0;
  app = await createHttpApp(root, { logger, nestLogger: false });
  app.get(TokenResolvers).register('tlb_', async (token) => ({
    kind: 'bot',
    botId: token,
    spaceId: 's',
    channelIds: [],
    scopes: 'all',
  }));
  await app.listen(0, '127.0.0.1');
});
afterEach(() => app.close());
afterAll(() => database.drop());

const open = async (token: string): Promise<EventStreamClient> =>
  EventStreamClient.open(`${await app.getUrl()}/stream`, token);

test('the oldest stream of a caller with more than STREAMS_PER_CALLER ends, and other callers are not affected', async () => {
  const clients: EventStreamClient[] = [];
  for (const token of ['tlb_one', 'tlb_two', 'tlb_one', 'tlb_one']) clients.push(await open(token));
  await clients[0]!.until(({ ended }) => ended);
  const closed = (): unknown[] => opened.map((stream) => stream.closed);
  expect(closed()).toEqual(['superseded', undefined, undefined, undefined]);
  clients[3]!.close();
  await eventually(() => expect(closed()[3]).toBe('client'));
  await open('tlb_one');
  expect(closed()).toEqual(['superseded', undefined, undefined, 'client', undefined]);
});

test('a process with STREAMS_MAX streams refuses further ones with 503', async () => {
  for (const token of ['tlb_one', 'tlb_one', 'tlb_two', 'tlb_two']) await open(token);
  expect((await open('tlb_three')).status).toBe(503);
  expect(app.get(SseStreams).count).toBe(4);
});
