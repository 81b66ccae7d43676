import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { ConfigModule } from '../config/index.js';
import type { Environment } from '../config/index.js';
import { DatabaseModule } from '../database/index.js';
import { HttpModule } from '../http/index.js';
import { ObservabilityModule } from '../observability/index.js';

/**
 * The base of both programs. Settings and logs are created from start-up values and therefore
 * global.
 */
@Module({})
export class PlatformModule {
  static of(environment: Environment, logger: Logger): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ConfigModule.of(environment), DatabaseModule, ObservabilityModule.of(logger), HttpModule],
    };
  }
}
