import 'reflect-metadata';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { withStandIns } from '@tieline/conversations/testing';
import { EgressClient, EgressPolicy } from '@tieline/egress';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { TokenResolvers } from '@tieline/platform/http';
import { Metrics } from '@tieline/platform/observability';
import { RateLimiter } from '@tieline/platform/rate-limit';
import { SecretBox } from '@tieline/platform/signing';
import { SlashModule } from './slash.module.js';

const TOKENS = [Db, EgressClient, EgressPolicy, PlatformSettings, RateLimiter, SecretBox, TokenResolvers];

/** What the module takes from below: only there, for nothing is called. */
@Global()
@Module({
  providers: [
    { provide: Environment, useValue: new Environment({}) },
    Metrics,
    ...TOKENS.map((provide) => ({ provide, useValue: {} })),
  ],
  exports: [Environment, Metrics, ...TOKENS],
})
class BelowModule {}

function start(slash: Type | DynamicModule): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    { module: class Root {}, imports: withStandIns([BelowModule, slash]) },
    { logger: false, abortOnError: false },
  );
}

test('a process without built-in commands does not start, and says so', async () => {
  await expect(start(SlashModule)).rejects.toThrow(/can't resolve dependencies.*BuiltinCommands/);
  await (await start(SlashModule.of())).close();
});
