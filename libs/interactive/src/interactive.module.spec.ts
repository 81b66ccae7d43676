import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { withStubs } from '@tieline/conversations/testing';
import { EgressClient, EgressModule, EgressPolicy } from '@tieline/egress';
import { Bus, BusModule } from '@tieline/live';
import { Environment, PlatformSettings, RequestLimits } from '@tieline/platform/config';
import { DatabaseModule, Db } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { RateLimiter, RateLimitModule } from '@tieline/rate-limit';
import { SecretBox, SigningModule } from '@tieline/signing';
import { InteractiveModule } from './interactive.module.js';
import { SuppliedClicks } from './testing/supplied-clicks.js';

const TOKENS = [Db, EgressClient, EgressPolicy, RateLimiter, SecretBox];
const SETTINGS = [
  { provide: Bus, useValue: { subscribe: () => () => undefined } },
  { provide: Environment, useValue: new Environment({}) },
  {
    provide: PlatformSettings,
    useValue: { secretKey: Buffer.alloc(32), secretKeysOld: [], publicUrl: 'http://localhost:3000' },
  },
];

/** Modules that would open connections. */
const INFRASTRUCTURE = [DatabaseModule, EgressModule, RateLimitModule, SigningModule, BusModule];

/** Provides the dependencies from lower libs. They are never called. */
@Global()
@Module({
  providers: [...SETTINGS, Metrics, RequestLimits, ...TOKENS.map((provide) => ({ provide, useValue: {} }))],
  exports: [Bus, Environment, Metrics, RequestLimits, PlatformSettings, ...TOKENS],
})
class BelowModule {}

@Module({})
class NothingModule {}

async function start(...imports: (Type | DynamicModule)[]): Promise<INestApplicationContext> {
  const testing = Test.createTestingModule({ imports: withStubs([BelowModule, ...imports]) });
  for (const module of INFRASTRUCTURE) testing.overrideModule(module).useModule(NothingModule);
  return (await testing.compile()).init();
}

test('a process without an implementation of built-in clicks does not start and names the missing provider', async () => {
  await expect(start(InteractiveModule)).rejects.toThrow(
    /can't resolve dependencies of the ClickHandler.*BuiltinClicks/,
  );
  await (await start(InteractiveModule, SuppliedClicks.of())).close();
});
