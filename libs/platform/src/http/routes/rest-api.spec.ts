import { Controller, Get, Headers, Module, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { ConfigModule, Environment } from '../../config/index.js';
import { createHttpApp } from '../app.js';
import { BotApi, Caller } from '../callers/authentication.js';
import { TokenResolvers } from '../callers/principals.js';
import type { BotPrincipal, Principal } from '../callers/principals.js';
import { callWith, principalOfCall } from '../callers/resolved-token.js';
import { RequiresScope } from '../callers/route-scopes.js';
import { HttpModule } from '../http.module.js';
import { RestApi } from './rest-api.js';

@Controller('api/v1')
class CallsController {
  constructor(private readonly rest: RestApi) {}

  /** Calls the other endpoint, as another bot if `x-as` names its token. */
  @Get('outer')
  @BotApi()
  @RequiresScope('none')
  async outer(@Req() request: FastifyRequest, @Headers('x-as') as?: string): Promise<unknown> {
    const { signal } = new AbortController();
    const headers: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${as}` };
    return this.rest.call({ request, signal }, { method: 'GET', path: '/api/v1/inner', headers });
  }

  @Get('inner')
  @BotApi()
  @RequiresScope('none')
  inner(@Caller() { botId }: BotPrincipal): unknown {
    return { botId };
  }
}

const botOf = (token: string): Principal => ({
  kind: 'bot',
  botId: token.slice('tlb_'.length),
  spaceId: 's',
  channelIds: [],
  scopes: 'all',
});

let app: NestFastifyApplication;
let lookUps: string[];
beforeAll(async () => {
  const environment = new Environment({
    DATABASE_URL: 'postgres://u@127.0.0.1/x',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-0123',
  });
  @Module({
    imports: [ConfigModule.of(environment), HttpModule],
    controllers: [CallsController],
    providers: [RestApi],
  })
  class CallsModule {}
  const logger = pino({ level: 'silent' });
  app = await createHttpApp(CallsModule, { logger, nestLogger: false, mayLackRates: true });
  app.get(TokenResolvers).register('tlb_', async (token) => {
    lookUps.push(token);
    return token === 'tlb_revoked' ? undefined : botOf(token);
  });
});
beforeEach(() => {
  lookUps = [];
});
afterAll(() => app?.close());

const outer = async (as?: string): Promise<unknown> => {
  const headers = { authorization: 'Bearer tlb_one', ...(as !== undefined && { 'x-as': as }) };
  return (await app.inject({ url: '/api/v1/outer', headers })).json();
};

test('a call to this process uses the token lookup of its request', async () => {
  expect(await outer()).toMatchObject({ status: 200, body: { botId: 'one' } });
  expect(lookUps).toEqual(['tlb_one']);
  await outer();
  expect(lookUps).toEqual(['tlb_one', 'tlb_one']);
});

test('a call with another token looks that one up', async () => {
  expect(await outer('tlb_two')).toMatchObject({ status: 200, body: { botId: 'two' } });
  expect(await outer('tlb_revoked')).toMatchObject({ status: 401 });
  expect(lookUps).toEqual(['tlb_one', 'tlb_two', 'tlb_one', 'tlb_revoked']);
});

test('a lookup is used for at most a second, and only inside the call', () => {
  const resolved = { token: 'tlb_one', principal: botOf('tlb_one') };
  const known = (ago: number) =>
    callWith({ ...resolved, at: performance.now() - ago }, () => principalOfCall('tlb_one'));
  expect(known(0)).toBe(resolved.principal);
  expect(known(1_001)).toBeUndefined();
  expect(principalOfCall('tlb_one')).toBeUndefined();
});
