import { Injectable } from '@nestjs/common';
import { chatAccess, chatErrors } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { FileStorage } from '@tieline/storage';
import type { UploadTarget } from '@tieline/storage';
import { uuidv7 } from 'uuidv7';
import type { StoredFile } from '../file.entity.js';
import { storageKey } from '../files.queries.js';
import type { Uploader } from '../files.queries.js';
import { AddFile } from './add-file.js';
import { UPLOAD_URL_SECONDS } from './upload-links.js';

/** A validated file to upload. Rules that need the database are checked later. */
export interface NewUpload {
  conversationId: string;
  fileName: string;
  /** Bytes. */
  fileSize: number;
  /** Lower case, without parameters. */
  mimeType: string;
}

/** A file that waits for its bytes, and where to send them. */
export interface UploadSession {
  file: StoredFile;
  target: UploadTarget;
  /** Unix seconds. */
  expiresAt: number;
}

/** Creates files and links to upload their bytes. */
@Injectable()
export class CreateUploadSession {
  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
    private readonly addFile: AddFile,
  ) {}

  /**
   * Creates a file in status `uploading` and a link with which its bytes, of exactly this size and
   * type, are sent directly to storage.
   * @throws 403 not a member of that conversation, or it is archived; 404 unknown to a person; 409
   * over the quota of the space's plan
   */
  async run(owner: Uploader, upload: NewUpload): Promise<UploadSession> {
    const { conversationId, fileSize, mimeType } = upload;
    const { spaceId } = owner;
    const owned = 'botId' in owner ? { botId: owner.botId } : { botId: null, userId: owner.userId };
    const author = { id: owned.botId ?? owned.userId };
    const { refused } = await chatAccess.sending(this.db, { spaceId, conversationId, author });
    const refusal = owned.botId === null ? chatErrors.personRefused : chatErrors.botRefused;
    if (refused !== undefined) throw refusal(refused);
    const id = uuidv7();
    const expiresAt = Math.floor(Date.now() / 1000) + UPLOAD_URL_SECONDS;
    const target = await this.storage.uploadTarget(storageKey({ spaceId, id }), {
      maxBytes: fileSize,
      isExact: true,
      contentType: mimeType,
      expiresAt,
    });
    const file = await this.addFile.run({ ...upload, spaceId, id, ...owned });
    return { file, target, expiresAt };
  }
}
