export { MessageAttachmentsModule } from './attachments/attachments-of-messages.js';
export { attachFiles, inspectFiles } from './attachments/attach-files.js';
export type { FilesToAttach, NamedFiles } from './attachments/attach-files.js';
export { fileRecordsOf } from './attachments/attachments-of-messages.js';
export { FileLookup } from './attachments/file-lookup.js';
export type { FoundFiles } from './attachments/file-lookup.js';
export type { FileRecord } from './file.view.js';
export { FilesWorkerModule } from './files-worker.module.js';
export { FileLookupModule, FilesModule } from './files.module.js';
