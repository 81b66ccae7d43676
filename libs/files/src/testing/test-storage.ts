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
 * Separate storage for the tests of one file, in a folder or in an S3 server that verifies
 * signatures.
 */
export class TestStorage {
  private constructor(
    private readonly dataDir: string,
    /** Environment for `startTestApi` that selects this storage. */
    readonly env: Record<string, string>,
    /** The S3 server, if it is one. */
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

  /** Serves the links of local storage. Mount it next to the modules under test. */
  get routes(): DynamicModule {
    return StorageRoutesModule.of(new Environment(this.env));
  }

  async close(): Promise<void> {
    await this.server?.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/**
 * Follows a link as clients do. Links of local storage lead to this api, which has no public
 * address.
 */
export function follow(api: TestApi, link: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(link);
  return fetch(url.pathname.startsWith('/storage/') ? `${api.url}${url.pathname}${url.search}` : link, init);
}

/** Sends bytes as described by a response of `upload_sessions`. */
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
