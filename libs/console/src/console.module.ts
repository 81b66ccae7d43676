import { Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { BUILT, serveConsole } from './serve-console.js';

const FOLDER = Symbol('folder of the built console');

/** The console at `/`: files only. What it shows and changes goes through the endpoints that everybody has. */
@Module({})
export class ConsoleModule implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    @Inject(FOLDER) private readonly folder: string,
  ) {}

  /** @param folder what was built; default: that of this checkout or image */
  static of(folder: string = BUILT): DynamicModule {
    return { module: ConsoleModule, providers: [{ provide: FOLDER, useValue: folder }] };
  }

  async onModuleInit(): Promise<void> {
    await serveConsole(this.http.httpAdapter.getInstance<FastifyInstance>(), this.folder);
  }
}
