import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { RatesModule } from '@tieline/conversations';
import { StorageModule, StorageSettings } from '@tieline/storage';
import { SpaceLimitSettings } from '@tieline/spaces';
import { MessageAttachmentsModule } from './attachments/attachments-of-messages.js';
import { FilesOfPeopleModule } from './attachments/files-of-people.js';
import { FileLookup } from './attachments/file-lookup.js';
import { FilesClientController } from './files.client-controller.js';
import { FilesController } from './files.controller.js';
import { AddFile } from './uploads/add-file.js';
import { ConfirmFile } from './uploads/confirm-file.js';
import { CreateUnboundFile } from './uploads/create-unbound-file.js';
import { ReceiveUpload } from './uploads/receive-upload.js';
import { CreateUploadSession } from './uploads/create-upload-session.js';

/** Provides the storage check for libs that attach files. */
@Module({ imports: [DatabaseModule, StorageModule], providers: [FileLookup], exports: [FileLookup] })
export class FileLookupModule {}

/**
 * Provides uploads of files that belong to no conversation yet, for libs with another way to
 * upload.
 */
@Module({
  imports: [DatabaseModule, StorageModule],
  providers: [AddFile, ConfirmFile, CreateUnboundFile, ReceiveUpload, StorageSettings, SpaceLimitSettings],
  exports: [AddFile, ConfirmFile, CreateUnboundFile, ReceiveUpload],
})
export class FileUploadsModule {}

/** Files of bots and people: uploads, confirmations, downloads, and the files of messages. */
@Module({
  imports: [
    DatabaseModule,
    RatesModule,
    HttpModule,
    StorageModule,
    FileUploadsModule,
    MessageAttachmentsModule,
    FilesOfPeopleModule,
  ],
  controllers: [FilesController, FilesClientController],
  providers: [CreateUploadSession, StorageSettings],
})
export class FilesModule {}
