import 'reflect-metadata';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { withStandIns } from '@tieline/conversations/testing';
import { EgressClient, EgressPolicy } from '@tieline/egress';
import { Bus } from '@tieline/live';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { TokenResolvers } from '@tieline/platform/http';
import { Metrics } from '@tieline/platform/observability';
import { RateLimiter } from '@tieline/platform/rate-limit';
import { SecretBox } from '@tieline/platform/signing';
import { InteractiveModule } from './interactive.module.js';
import { SuppliedClicks } from './testing/supplied-clicks.js';

const TOKENS = [Bus, Db, EgressClient, EgressPolicy, RateLimiter, SecretBox, TokenResolvers];
const SETTINGS = [
  { provide: Environment, useValue: new Environment({}) },
  { provide: PlatformSettings, useValue: { secretKey: Buffer.alloc(32).toString('base64') } },
];

/** What the module takes from below: only there, for nothing is called. */
@Global()
@Module({
  providers: [...SETTINGS, Metrics, ...TOKENS.map((provide) => ({ provide, useValue: {} }))],
  exports: [Environment, Metrics, PlatformSettings, ...TOKENS],
})
class BelowModule {}

function start(...imports: (Type | DynamicModule)[]): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    { module: class Root {}, imports: withStandIns([BelowModule, ...imports]) },
    { logger: false, abortOnError: false },
  );
}

test("a process without the code behind the product's own buttons does not start, and says so", async () => {
  await expect(start(InteractiveModule)).rejects.toThrow(
    /can't resolve dependencies of the ClickHandler.*BuiltinClicks/,
  );
  await (await start(InteractiveModule, SuppliedClicks.of())).close();
});
