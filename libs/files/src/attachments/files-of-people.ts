import { Global, Injectable, Module } from '@nestjs/common';
import { FilesOfPeople } from '@tieline/conversations';
import { DatabaseModule } from '@tieline/platform/database';
import { StorageModule } from '@tieline/storage';
import { attachFiles } from './attach-files.js';
import { FileLookup } from './file-lookup.js';

@Injectable()
class UploadedFilesOfPeople extends FilesOfPeople {
  constructor(private readonly lookup: FileLookup) {
    super();
  }

  override async prepare(
    person: { spaceId: string; userId: string },
    fileIds: readonly string[],
  ): ReturnType<FilesOfPeople['prepare']> {
    const found = await this.lookup.lookUp(person, fileIds);
    return (tx, message) => attachFiles(tx, person, { ...message, fileIds, found });
  }
}

/**
 * Global, because it provides `FilesOfPeople` to the chat core, which is lower and cannot import
 * this lib.
 */
@Global()
@Module({
  imports: [DatabaseModule, StorageModule],
  providers: [FileLookup, { provide: FilesOfPeople, useClass: UploadedFilesOfPeople }],
  exports: [FilesOfPeople],
})
export class FilesOfPeopleModule {}
