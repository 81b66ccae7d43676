import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AppConfig } from './app-config.js';

/** Provides the one {@link AppConfig} of this process to every module. */
@Module({})
export class ConfigModule {
  static of(config: AppConfig): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: AppConfig, useValue: config }],
      exports: [AppConfig],
    };
  }
}
