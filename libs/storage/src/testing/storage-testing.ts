import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { pino } from 'pino';
import { ConfigModule, Environment, PlatformSettings } from '@tieline/platform/config';
import { createHttpApp, HttpModule } from '@tieline/platform/http';
import { freePort, serveTestDocument } from '@tieline/testing';
import { FileStorage } from '../file-storage.js';
import { StorageModule } from '../storage.module.js';
import { StorageRoutesModule } from '../local/storage-routes.module.js';
import type { StorageTimeouts } from '../local/storage.controller.js';

@Module({})
class StorageAppModule {
  static of(environment: Environment, timeouts?: StorageTimeouts): DynamicModule {
    return {
      module: StorageAppModule,
      imports: [
        ConfigModule.of(environment),
        HttpModule,
        StorageModule,
        StorageRoutesModule.of(environment, timeouts),
      ],
    };
  }
}

/** An api that serves only storage, for tests. */
export interface StorageApp {
  readonly storage: FileStorage;
  readonly settings: PlatformSettings;
  readonly url: string;
  /** Folder of the files. */
  readonly root: string;
  /** Log lines so far. */
  readonly log: string[];
  /** Stops the api and deletes its folder. */
  close(): Promise<void>;
}

/**
 * Starts the api on a free port with its own folder.
 * @param environment additional settings
 */
export async function startStorageApp(
  environment: Record<string, string> = {},
  timeouts?: StorageTimeouts,
): Promise<StorageApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tieline-storage-'));
  const port = await freePort();
  const variables = new Environment({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-0123',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    ...environment,
  });
  const settings = new PlatformSettings(variables);
  const log: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) });
  const app = await createHttpApp(StorageAppModule.of(variables, timeouts), { logger, nestLogger: false });
  serveTestDocument(app);
  await app.listen(port, '127.0.0.1');
  const close = async (): Promise<void> => {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    storage: app.get(FileStorage),
    settings,
    url: settings.publicUrl,
    root: join(dataDir, 'files'),
    log,
    close,
  };
}
