import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { deprecationsOf, PlatformSettings, readEnvironment, RequestLimits } from '../config/index.js';
import type { Environment } from '../config/index.js';
import { createHttpApp, listenPrivately } from '../http/index.js';
import type { PrivatePorts } from '../http/index.js';
import { createLogger, NestLogger } from '../observability/index.js';
import { endTraces } from '../tracing/index.js';
import { runCommand } from './run-command.js';

/** Describes one of the two programs. */
export interface Program {
  name: 'api' | 'worker';
  module(environment: Environment, logger: Logger): Type | DynamicModule;
  port(settings: PlatformSettings): number;
  /** Ports of the parts that can have separate listeners. */
  privatePorts?(settings: PlatformSettings): PrivatePorts;
  /** Variables that only this program requires. */
  required?: readonly string[];
  /** Called before the program listens. */
  prepare?(app: NestFastifyApplication, settings: PlatformSettings): void;
}

/** A drain that takes longer is aborted. */
const DRAIN_LIMIT_MS = 14_000;

/**
 * Starts a program: configuration, modules, HTTP. SIGTERM and SIGINT drain it: current requests,
 * attempts and batches end, then connections close. The process then ends with code 0.
 */
export async function runApp(program: Program): Promise<void> {
  await runCommand(async () => {
    const environment = await readEnvironment(program.required);
    const settings = new PlatformSettings(environment);
    const logger = createLogger(settings, program.name);
    for (const warning of await deprecationsOf(environment)) logger.warn(warning);
    const app = await createHttpApp(program.module(environment, logger), {
      logger,
      nestLogger: new NestLogger(logger),
      limits: new RequestLimits(environment),
      privatePorts: program.privatePorts?.(settings) ?? {},
      trustedProxies: settings.trustedProxies,
    });
    program.prepare?.(app, settings);
    drainOnSignals(app, (text) => logger.info(text));
    await listenPrivately(app.getHttpAdapter().getInstance(), settings.host);
    await app.listen(program.port(settings), settings.host);
    logger.info({ host: settings.host, port: program.port(settings) }, 'listening');
  });
  // Startup failed: connections that are already open must not keep the process alive.
  if (process.exitCode === 1) process.exit(1);
}

function drainOnSignals(app: NestFastifyApplication, log: (text: string) => void): void {
  let draining = false;
  const drain = (signal: NodeJS.Signals): void => {
    if (draining) return;
    draining = true;
    log(`${signal}: draining`);
    setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref();
    const drained = app.close().then(() => endTraces());
    drained.then(
      () => process.exit(0),
      (error: unknown) => {
        log(`the drain failed: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', drain);
  process.on('SIGINT', drain);
}
