import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import {
  alreadyStored,
  FileStorage,
  linkRefused,
  sizeMismatch,
  StorageSettings,
  uploadInProgress,
  uploadRefusal,
} from '@tieline/storage';
import type { IncomingUpload } from '@tieline/storage';
import { StoredFile } from '../file.entity.js';
import { fileTooLarge } from '../files.errors.js';
import { storageKey } from '../files.queries.js';

/** The bytes of a file in a request. */
interface ReceivedBytes {
  upload: IncomingUpload;
  /** Bytes of the file according to the request, if it says so. */
  announcedSize: number | undefined;
  /** The most that the body may have. `fileSize` is that of the file. */
  mostBytes(fileSize: number): number;
  content(): AsyncIterable<Uint8Array>;
}

/**
 * Receives the bytes of files in this process, for clients that cannot send them to storage. The
 * caller has checked that the sender may.
 */
@Injectable()
export class ReceiveUpload {
  /** Files whose bytes are being received. Not every storage refuses a second upload itself. */
  private readonly receiving = new Set<string>();

  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
    private readonly settings: StorageSettings,
  ) {}

  /**
   * Stores the bytes of a file, which must have exactly the declared size, and returns their
   * number. Nothing is stored otherwise, and the upload can be repeated.
   *
   * @throws 400 another size, or the client disconnected; 403 no such file, or its bytes are
   * stored; 409 another upload is in progress; 503 storage is unavailable
   */
  async run({ spaceId, id }: { spaceId: string; id: string }, bytes: ReceivedBytes): Promise<number> {
    const file = await this.db.manager.findOneBy(StoredFile, { spaceId, id });
    if (!file) throw linkRefused();
    if (this.receiving.has(id)) throw uploadInProgress();
    this.receiving.add(id);
    try {
      return await this.store(file, bytes);
    } finally {
      this.receiving.delete(id);
    }
  }

  private async store(file: StoredFile, bytes: ReceivedBytes): Promise<number> {
    const { fileSize: size } = file;
    const { upload, announcedSize = size } = bytes;
    const { fileMaxBytes } = this.settings;
    if (size > fileMaxBytes) throw fileTooLarge(fileMaxBytes);
    if (file.status === 'ready' || (await this.storage.stat(storageKey(file)))) throw alreadyStored();
    if (announcedSize !== size || (upload.announcedSize ?? 0) > bytes.mostBytes(size))
      throw sizeMismatch(size);
    try {
      return await this.storage.put(storageKey(file), bytes.content(), { maxBytes: size, size });
    } catch (error) {
      throw uploadRefusal(error, upload, size);
    }
  }
}
