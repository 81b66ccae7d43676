import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Module } from '@nestjs/common';
import type { DynamicModule, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { StorageSettings } from '../storage.settings.js';
import { StorageModule } from '../storage.module.js';
import { StorageController, StoragePatience } from './storage.controller.js';
import { STORAGE_PATH, StorageUrls } from './storage-urls.js';

const PATIENCE: StoragePatience = { idleMs: 30_000, afterExpiryMs: 3_600_000, lingerMs: 5_000 };

/** The links of local storage, for the api. With another STORAGE_DRIVER clients are sent to that store, and these routes do not exist. */
@Module({})
export class StorageRoutesModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  static of(environment: Environment, patience: StoragePatience = PATIENCE): DynamicModule {
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
        { provide: StoragePatience, useValue: patience },
      ],
    };
  }

  /** A client that asks before it sends (`Expect: 100-continue`) is told to go on only when its upload is welcome; elsewhere at once. */
  onModuleInit(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      const decidesItself = request.method === 'PUT' && request.url?.startsWith(STORAGE_PATH) === true;
      if (!decidesItself) response.writeContinue();
      server.emit('request', request, response);
    });
  }
}
