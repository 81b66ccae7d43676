import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { RateLimitModule } from '@tieline/rate-limit';
import { DatabaseModule } from '@tieline/platform/database';
import { BotRateSettings, PersonRates, PersonRateSettings } from '@tieline/conversations';
import { StorageModule, StorageSettings } from '@tieline/storage';
import { MessageAttachmentsModule } from './attachments/attachments-of-messages.js';
import { FilesOfPeopleModule } from './attachments/files-of-people.js';
import { FileLookup } from './attachments/file-lookup.js';
import { FilesClientController } from './files.client-controller.js';
import { FilesController } from './files.controller.js';
import { FileQuotaSettings } from './files.settings.js';

/** Provides the storage check for libs that attach files. */
@Module({ imports: [DatabaseModule, StorageModule], providers: [FileLookup], exports: [FileLookup] })
export class FileLookupModule {}

/** Files of bots and people: uploads, confirmations, downloads, and the files of messages. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
    HttpModule,
    StorageModule,
    MessageAttachmentsModule,
    FilesOfPeopleModule,
  ],
  controllers: [FilesController, FilesClientController],
  providers: [StorageSettings, FileQuotaSettings, BotRateSettings, PersonRates, PersonRateSettings],
})
export class FilesModule {}
