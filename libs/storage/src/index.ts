export {
  FileStorage,
  ObjectExistsError,
  ObjectNotFoundError,
  ObjectTooLargeError,
  StorageUnavailableError,
  type ByteRange,
  type OpenedObject,
  type UploadTarget,
} from './file-storage.js';
export { LocalFileStorage } from './local/local-file-storage.js';
export { StorageRoutesModule } from './local/storage-routes.module.js';
export { openFileStorage, StorageModule } from './storage.module.js';
export {
  STORAGE_PATH,
  StorageUrls,
  type StorageGrant,
  type StorageUrlSettings,
} from './local/storage-urls.js';
export { StorageSettings } from './storage.settings.js';
export { StorageWorkerModule } from './storage-worker.module.js';
