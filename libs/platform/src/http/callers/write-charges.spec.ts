import { Controller, Get, Module, Post, UseGuards } from '@nestjs/common';
import type { CanActivate } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { ConfigModule, Environment } from '../../config/index.js';
import { createHttpApp } from '../app.js';
import { HttpModule } from '../http.module.js';
import { forbidden } from '../api-error.js';
import { AdmitsCapabilities, BotApi } from './authentication.js';
import { TokenResolvers } from './principals.js';
import { RequiresScope } from './route-scopes.js';
import { HasOwnRate, WriteCharges } from './write-charges.js';
import type { ChargedPrincipal } from './write-charges.js';

const ok = { ok: true };

@Controller('mixed')
@BotApi()
@RequiresScope('none')
class MixedController {
  @Get() read(): object {
    return ok;
  }
  @Post('default') write(): object {
    return ok;
  }
  @Post('own') @HasOwnRate() writeWithOwnRate(): object {
    return ok;
  }
}

@Controller('own')
@BotApi()
@HasOwnRate()
@RequiresScope('none')
class OwnRateController {
  @Post() write(): object {
    return ok;
  }
}

class RefusingGuard implements CanActivate {
  canActivate(): boolean {
    throw forbidden();
  }
}

@Controller('refused')
@BotApi()
@HasOwnRate()
@RequiresScope('none')
class RefusedController {
  @Post() @AdmitsCapabilities() @UseGuards(RefusingGuard) write(): object {
    return ok;
  }
  @Post('scope') @RequiresScope('files:write') writeFile(): object {
    return ok;
  }
}

@Controller('late')
@HasOwnRate()
@BotApi()
@RequiresScope('none')
class LateRateController {
  @Post() write(): object {
    return ok;
  }
}

/** Records how many requests were charged by the default rate, and whose refusals were counted. */
class Recorder extends WriteCharges {
  charged = 0;
  refused: string[] = [];
  failure: Error | undefined;

  override charge<T>(_: unknown, work: () => Promise<T>): Promise<T> {
    this.charged += 1;
    return work();
  }

  override countRefusal({ kind }: ChargedPrincipal, error: unknown): Promise<unknown> {
    this.refused.push(kind);
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(error);
  }
}

const environment = new Environment({
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123',
});

@Module({
  imports: [ConfigModule.of(environment), HttpModule],
  controllers: [MixedController, OwnRateController, LateRateController, RefusedController],
  providers: [{ provide: WriteCharges, useClass: Recorder }],
})
class ChargesModule {}

let app: NestFastifyApplication;

beforeAll(async () => {
  app = await createHttpApp(ChargesModule, { logger: pino({ level: 'silent' }), nestLogger: false });
  app.get(TokenResolvers).register('tlb_', async () => ({
    spaceId: 's',
    kind: 'bot',
    botId: 'b',
    channelIds: [],
    scopes: new Set(['messages:write'] as const),
  }));
  app.get(TokenResolvers).register('tlc_', async (token) => ({ kind: 'capability', token }));
});
afterAll(() => app.close());

const inject = (method: 'GET' | 'POST', url: string, token = 'tlb_token') =>
  (app.getHttpAdapter().getInstance() as unknown as FastifyInstance).inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
  });

const recorderOf = (): Recorder => app.get<Recorder>(WriteCharges);

/** Returns how many default charges a request leads to. */
async function chargesOf(method: 'GET' | 'POST', url: string): Promise<number> {
  const recorder = recorderOf();
  const before = recorder.charged;
  expect((await inject(method, url)).json()).toEqual(ok);
  return recorder.charged - before;
}

test('writes without their own rate are charged, in any order of the decorators', async () => {
  expect([
    await chargesOf('GET', '/mixed'),
    await chargesOf('POST', '/mixed/default'),
    await chargesOf('POST', '/mixed/own'),
    await chargesOf('POST', '/own'),
    await chargesOf('POST', '/late'),
  ]).toEqual([0, 1, 0, 0, 0]);
});

test('reads and writes known to have their own rate run through no interceptor', () => {
  const { read, write, writeWithOwnRate } = MixedController.prototype;
  const counts = [read, write, writeWithOwnRate, OwnRateController.prototype.write].map(
    (handler) => (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) as unknown[] | undefined)?.length ?? 0,
  );
  expect(counts).toEqual([0, 1, 0, 0]);
});

test('a refusal of a capability is not counted, so its token is in no key of a rate', async () => {
  const recorder = recorderOf();
  recorder.refused = [];
  for (const token of ['tlb_token', 'tlc_token'])
    expect((await inject('POST', '/refused', token)).statusCode).toBe(403);
  expect(recorder.refused).toEqual(['bot']);
});

test('a refusal for lack of a scope is not counted', async () => {
  const recorder = recorderOf();
  recorder.refused = [];
  expect((await inject('POST', '/refused/scope')).json()).toMatchObject({ code: 'insufficient_scope' });
  expect(recorder.refused).toEqual([]);
});

test('a refusal that cannot be counted is answered', async () => {
  const recorder = recorderOf();
  recorder.failure = Object.assign(new Error('no store'), { code: 'ECONNREFUSED' });
  const answer = await inject('POST', '/refused');
  recorder.failure = undefined;
  expect(answer.statusCode).toBe(503);
});
