import { Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FileStorage, StorageModule } from '@tieline/storage';
import type { FastifyInstance } from 'fastify';
import { BUILT, serveConsole } from './serve-console.js';

const FOLDER = Symbol('folder of the built console');

/** Serves the console's files at `/`. The console uses the public endpoints. */
@Module({ imports: [StorageModule] })
export class ConsoleModule implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    @Inject(FOLDER) private readonly folder: string,
    private readonly storage: FileStorage,
  ) {}

  /** @param folder of the build; default: that of this checkout or image */
  static of(folder: string = BUILT): DynamicModule {
    return { module: ConsoleModule, providers: [{ provide: FOLDER, useValue: folder }] };
  }

  async onModuleInit(): Promise<void> {
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    await serveConsole(fastify, this.folder, await originOf(this.storage));
  }
}

/** Returns the origin of links to files: only the store knows its address. */
async function originOf(storage: FileStorage): Promise<string> {
  const link = await storage.downloadUrl('console', {
    fileName: '-',
    contentType: 'text/plain',
    expiresAt: soon(),
  });
  return new URL(link).origin;
}

const soon = (): number => Math.floor(Date.now() / 1000) + 60;
