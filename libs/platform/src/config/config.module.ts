import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { PlatformSettings, RequestLimits } from '../platform.settings.js';
import { Environment } from './environment.js';

/**
 * Provides the {@link Environment} of this process, which settings classes are made from, and
 * platform's own settings.
 */
@Module({})
export class ConfigModule {
  static of(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      // Made once, from the environment: modules cannot import it by themselves.
      global: true,
      providers: [{ provide: Environment, useValue: environment }, PlatformSettings, RequestLimits],
      exports: [Environment, PlatformSettings, RequestLimits],
    };
  }
}
