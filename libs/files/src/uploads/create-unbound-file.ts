import { Injectable } from '@nestjs/common';
import { StorageSettings } from '@tieline/storage';
import { uuidv7 } from 'uuidv7';
import type { StoredFile } from '../file.entity.js';
import { fileNameMalformed, fileSizeMalformed, fileTooLarge } from '../files.errors.js';
import type { FileOwner } from '../files.queries.js';
import { AddFile } from './add-file.js';
import { isFileName } from './file-name.js';
import { typeOfName } from './media-types.js';
import { UPLOAD_URL_SECONDS } from './upload-links.js';

/** A file to upload before its conversation is known. */
export interface UnboundUpload {
  fileName: string;
  /** Bytes. */
  fileSize: number;
}

/**
 * Creates files of bots that belong to no conversation yet. Only the bot can use such a file. The
 * message that it is attached to gives it its conversation; without one it is deleted after 24
 * hours, as all files are.
 */
@Injectable()
export class CreateUnboundFile {
  constructor(
    private readonly addFile: AddFile,
    private readonly settings: StorageSettings,
  ) {}

  /**
   * Creates a file in status `uploading`, whose type follows from its name.
   * @returns the file, and when its bytes can no longer be sent, in Unix seconds
   * @throws 400 a malformed name or size, or too large; 409 over the quota of the space's plan
   */
  async run(
    { spaceId, botId }: FileOwner,
    { fileName, fileSize }: UnboundUpload,
  ): Promise<{ file: StoredFile; expiresAt: number }> {
    const { fileMaxBytes } = this.settings;
    if (fileName === '' || !isFileName(fileName)) throw fileNameMalformed();
    if (!Number.isSafeInteger(fileSize) || fileSize < 1) throw fileSizeMalformed();
    if (fileSize > fileMaxBytes) throw fileTooLarge(fileMaxBytes);
    const expiresAt = Math.floor(Date.now() / 1000) + UPLOAD_URL_SECONDS;
    const mimeType = typeOfName(fileName);
    const file = await this.addFile.run({
      ...{ spaceId, id: uuidv7(), botId, conversationId: null },
      ...{ fileName, fileSize, mimeType },
    });
    return { file, expiresAt };
  }
}
