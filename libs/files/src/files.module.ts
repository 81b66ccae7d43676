import { Module } from '@nestjs/common';
import { StorageModule } from '@tieline/platform/storage';
import './attachments-of-messages.js';
import { FileLookup } from './file-lookup.js';

/** Files of bots, and what messages show of them. */
@Module({ imports: [StorageModule], providers: [FileLookup], exports: [FileLookup] })
export class FilesModule {}
