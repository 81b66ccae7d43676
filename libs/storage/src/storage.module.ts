import { Module } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { StorageSettings } from './storage.settings.js';
import { FileStorage } from './file-storage.js';
import { LocalFileStorage } from './local/local-file-storage.js';

/**
 * Opens the storage selected by STORAGE_DRIVER. The S3 client is loaded only if needed, because it
 * doubles the startup time.
 */
async function openFileStorage(platform: PlatformSettings, settings: StorageSettings): Promise<FileStorage> {
  if (settings.driver === 'local') return LocalFileStorage.fromSettings(platform, settings.diskFreeBytes);
  const { S3FileStorage } = await import('./s3/s3-file-storage.js');
  return new S3FileStorage(settings);
}

/** Provides {@link FileStorage} to the modules of api and worker. */
@Module({
  providers: [
    StorageSettings,
    { provide: FileStorage, useFactory: openFileStorage, inject: [PlatformSettings, StorageSettings] },
  ],
  exports: [FileStorage],
})
export class StorageModule {}
