import { Global, Module } from '@nestjs/common';
import { AppConfig } from '@tieline/platform/config';
import { FileStorage } from './file-storage.js';
import { LocalFileStorage } from './local/local-file-storage.js';

/** The store that STORAGE_DRIVER names. What S3 needs is loaded only where it is used: it doubles the time that a start takes. */
export async function openFileStorage(config: AppConfig): Promise<FileStorage> {
  if (config.storageDriver === 'local') return LocalFileStorage.fromConfig(config);
  const { S3FileStorage } = await import('./s3/s3-file-storage.js');
  return new S3FileStorage(config);
}

/** Provides {@link FileStorage} to every module of both programs. */
@Global()
@Module({
  providers: [{ provide: FileStorage, useFactory: openFileStorage, inject: [AppConfig] }],
  exports: [FileStorage],
})
export class StorageModule {}
