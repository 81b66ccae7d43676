import { Module } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { StorageSettings } from './storage.settings.js';
import { FileStorage } from './file-storage.js';
import { LocalFileStorage } from './local/local-file-storage.js';

/**
 * The store that STORAGE_DRIVER names. What S3 needs is loaded only where it is used: it doubles
 * the time that a start takes.
 */
export async function openFileStorage(
  platform: PlatformSettings,
  settings: StorageSettings,
): Promise<FileStorage> {
  if (settings.driver === 'local') return LocalFileStorage.fromSettings(platform, settings.diskFreeBytes);
  const { S3FileStorage } = await import('./s3/s3-file-storage.js');
  return new S3FileStorage(settings);
}

/** Provides {@link FileStorage} to every module of both programs. */
@Module({
  providers: [
    StorageSettings,
    { provide: FileStorage, useFactory: openFileStorage, inject: [PlatformSettings, StorageSettings] },
  ],
  exports: [FileStorage],
})
export class StorageModule {}
