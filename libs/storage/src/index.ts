export {
  FileStorage,
  ObjectNotFoundError,
  StorageUnavailableError,
  type UploadTarget,
} from './file-storage.js';
export { LocalFileStorage } from './local/local-file-storage.js';
export { StorageRoutesModule } from './local/storage-routes.module.js';
export { StorageModule } from './storage.module.js';
export { StorageSettings } from './storage.settings.js';
export { StorageWorkerModule } from './storage-worker.module.js';
