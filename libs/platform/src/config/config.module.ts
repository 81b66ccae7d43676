import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { PlatformSettings, RequestLimits } from '../platform.settings.js';
import { Environment } from './environment.js';

/** Provides the {@link Environment} that settings classes read, and platform's own settings. */
@Module({})
export class ConfigModule {
  static of(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      // Created from the environment, so modules cannot import it themselves.
      global: true,
      providers: [{ provide: Environment, useValue: environment }, PlatformSettings, RequestLimits],
      exports: [Environment, PlatformSettings, RequestLimits],
    };
  }
}
