import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConversationsModule } from '@tieline/conversations';
import { withStubs } from '@tieline/conversations/testing';
import { EgressModule } from '@tieline/egress';
import { ConfigModule, Environment } from '@tieline/platform/config';
import { DatabaseModule } from '@tieline/platform/database';
import { createHttpApp, HttpModule } from '@tieline/platform/http';
import { ObservabilityModule } from '@tieline/platform/observability';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import { SpacesModule } from '@tieline/spaces';
import type { TestApi } from '@tieline/spaces/testing';
import { serveTestDocument } from '@tieline/testing';
import { pino } from 'pino';
import { BotsModule } from '../bots.module.js';

/** Another api process, simulated in the same process. */
export interface AnotherApi {
  app: NestFastifyApplication;
  url: string;
}

/** Starts another api on the same database, with `more` in addition to bots and the libs below. */
export async function startAnotherApi(
  api: TestApi,
  more: (Type | DynamicModule)[] = [],
): Promise<AnotherApi> {
  const platform = [
    ConfigModule.of(api.app.get(Environment)),
    DatabaseModule,
    HttpModule,
    ObservabilityModule.of(pino({ level: 'silent' })),
    RateLimitModule,
    SigningModule,
    EgressModule,
  ];
  const root: DynamicModule = {
    module: AnotherProcess,
    imports: withStubs([...platform, SpacesModule, ConversationsModule, BotsModule, ...more]),
  };
  const app = await createHttpApp(root, { logger: pino({ level: 'silent' }), nestLogger: false });
  serveTestDocument(app);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

@Module({})
class AnotherProcess {}
