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
export { LocalFileStorage } from './local-file-storage.js';
export { StorageRoutesModule } from './storage-routes.module.js';
export { openFileStorage, StorageModule } from './storage.module.js';
export { STORAGE_PATH, StorageUrls, type StorageGrant, type StorageUrlSettings } from './storage-urls.js';
