export {
  FileStorage,
  ObjectNotFoundError,
  StorageUnavailableError,
  type UploadTarget,
} from './file-storage.js';
export { IncomingUpload } from './local/incoming-upload.js';
export { LocalFileStorage } from './local/local-file-storage.js';
export { alreadyStored, linkRefused, sizeMismatch, uploadInProgress } from './local/storage.errors.js';
export { uploadRefusal } from './local/upload-refusals.js';
export { StorageRoutesModule } from './local/storage-routes.module.js';
export { StorageModule } from './storage.module.js';
export { StorageSettings } from './storage.settings.js';
export { StorageWorkerModule } from './storage-worker.module.js';
