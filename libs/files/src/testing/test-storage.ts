import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import { Environment } from '@tieline/platform/config';
import { StorageRoutesModule } from '@tieline/storage';
import { startS3Server } from '@tieline/testing';
import type { S3Server } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';

/**
 * A store of its own for the tests of one file, in a folder or in an S3 server that verifies
 * signatures.
 */
export class TestStorage {
  private constructor(
    private readonly dataDir: string,
    /** What the api needs to use it: part of the environment of `startTestApi`. */
    readonly env: Record<string, string>,
    /** The S3 server, where it is one. */
    readonly server: S3Server | undefined,
  ) {}

  static async start(driver: 'local' | 's3' = 'local'): Promise<TestStorage> {
    const dataDir = await mkdtemp(join(tmpdir(), 'tieline-files-'));
    const server = driver === 's3' ? await startS3Server() : undefined;
    return new TestStorage(
      dataDir,
      { DATA_DIR: dataDir, SECRET_KEY: Buffer.alloc(32, 9).toString('base64'), ...server?.environment },
      server,
    );
  }

  /** Serves the links of local storage; to be mounted beside the modules under test. */
  get routes(): DynamicModule {
    return StorageRoutesModule.of(new Environment(this.env));
  }

  async close(): Promise<void> {
    await this.server?.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/**
 * Follows a link as clients do; links of local storage lead to this api, which has no public
 * address.
 */
export function follow(api: TestApi, link: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(link);
  return fetch(url.pathname.startsWith('/storage/') ? `${api.url}${url.pathname}${url.search}` : link, init);
}

/** Sends bytes as an answer to `upload_sessions` says. */
export function sendBytes(
  api: TestApi,
  upload: { upload_url: string; method: string; headers: Record<string, string> },
  bytes: Uint8Array,
): Promise<Response> {
  return follow(api, upload.upload_url, {
    method: upload.method,
    headers: upload.headers,
    body: bytes as RequestInit['body'],
  });
}
