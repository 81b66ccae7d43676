import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { withStubs } from '@tieline/conversations/testing';
import { Bus, BusModule } from '@tieline/live';
import { EgressClient, EgressModule, EgressPolicy } from '@tieline/egress';
import { Environment, PlatformSettings, RequestLimits } from '@tieline/platform/config';
import { DatabaseModule, Db } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { RateLimiter, RateLimitModule } from '@tieline/rate-limit';
import { SecretBox, SigningModule } from '@tieline/signing';
import { NO_SLACK_COMMANDS } from './testing/slash-harness.js';
import { SlashModule } from './slash.module.js';

const TOKENS = [Db, EgressClient, EgressPolicy, RateLimiter, SecretBox];
const SILENT_BUS = { subscribe: () => () => undefined };
const SETTINGS = { secretKey: Buffer.alloc(32), secretKeysOld: [], publicUrl: 'http://localhost:3000' };

/** Modules that would open connections. */
const INFRASTRUCTURE = [DatabaseModule, EgressModule, RateLimitModule, SigningModule, BusModule];

/** Provides the dependencies from lower libs. They are never called. */
@Global()
@Module({
  providers: [
    { provide: Environment, useValue: new Environment({}) },
    { provide: PlatformSettings, useValue: SETTINGS },
    { provide: Bus, useValue: SILENT_BUS },
    Metrics,
    RequestLimits,
    ...TOKENS.map((provide) => ({ provide, useValue: {} })),
  ],
  exports: [Bus, Environment, Metrics, PlatformSettings, RequestLimits, ...TOKENS],
})
class BelowModule {}

@Module({})
class NothingModule {}

async function start(slash: Type | DynamicModule): Promise<INestApplicationContext> {
  const testing = Test.createTestingModule({ imports: withStubs([BelowModule, NO_SLACK_COMMANDS, slash]) });
  for (const module of INFRASTRUCTURE) testing.overrideModule(module).useModule(NothingModule);
  return (await testing.compile()).init();
}

test('a process without built-in commands does not start and names the missing provider', async () => {
  await expect(start(SlashModule)).rejects.toThrow(/can't resolve dependencies.*BuiltinCommands/);
  await (await start(SlashModule.of())).close();
});
