import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { StorageSettings } from '../storage.settings.js';
import { StorageModule } from '../storage.module.js';
import { StorageController, StorageTimeouts } from './storage.controller.js';
import { StorageUrls } from './storage-urls.js';

const TIMEOUTS: StorageTimeouts = { idleMs: 30_000, afterExpiryMs: 3_600_000, drainMs: 5_000 };

/**
 * The links of local storage, for the api. With another STORAGE_DRIVER, links lead directly to that
 * storage and these routes do not exist.
 */
@Module({})
export class StorageRoutesModule {
  static of(environment: Environment, timeouts: StorageTimeouts = TIMEOUTS): DynamicModule {
    const isLocal = new StorageSettings(environment).driver === 'local';
    return {
      module: StorageRoutesModule,
      imports: [StorageModule],
      controllers: isLocal ? [StorageController] : [],
      providers: [
        StorageSettings,
        {
          provide: StorageUrls,
          inject: [PlatformSettings],
          useFactory: (settings: PlatformSettings) => StorageUrls.fromSettings(settings),
        },
        { provide: StorageTimeouts, useValue: timeouts },
      ],
    };
  }
}
