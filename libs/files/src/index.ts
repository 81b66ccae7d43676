export { attachFiles, inspectFiles, MAX_ATTACHMENTS } from './attach-files.js';
export type { AttachedFiles, FilesToAttach, NamedFiles } from './attach-files.js';
export { fileRecordsOf } from './attachments-of-messages.js';
export { FileLookup } from './file-lookup.js';
export type { FoundFiles } from './file-lookup.js';
export type { FileRecord } from './file.view.js';
export type { FileOwner } from './files.queries.js';
export { FilesWorkerModule } from './files-worker.module.js';
export { FileLookupModule, FilesModule } from './files.module.js';
