import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import { FileStorage, StorageSettings } from '@tieline/storage';
import { IsNull } from 'typeorm';
import { inspectContent } from './file-content.js';
import { fileNotFound, fileTooLarge, notUploaded, sizeMismatch } from '../files.errors.js';
import { findOwnFile, storageKey } from '../files.queries.js';
import type { Uploader } from '../files.queries.js';
import { StoredFile } from '../file.entity.js';
import { fileTypeOf } from './media-types.js';

/** A file to confirm. */
export interface Confirmation {
  fileId: string;
  /** Given by bots. */
  conversationId: string | undefined;
}

/** Marks uploaded files as ready. */
@Injectable()
export class ConfirmFile {
  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
    private readonly settings: StorageSettings,
  ) {}

  /**
   * Marks a file as ready if its bytes are in storage. Repeating succeeds, also concurrently. Bytes
   * that differ from the declared size make the file permanently unusable, because stored objects
   * cannot be replaced.
   * @returns the name of the file
   *
   * @throws 404 unknown, another person's or another conversation's; 400 not uploaded, or not the
   * declared size; 503 storage is unavailable
   */
  async run(owner: Uploader, { fileId, conversationId }: Confirmation): Promise<{ fileName: string }> {
    const find = (): Promise<StoredFile | undefined> => findOwnFile(this.db, owner, fileId, conversationId);
    const file = await find();
    if (!file) throw fileNotFound();
    const { fileName } = file;
    if (file.status === 'ready') return { fileName };
    await this.checkSize(file);
    const { mimeType, width, height } = await inspectContent(this.storage, file);
    const { spaceId, id } = file;
    const confirmed = await runInTx(
      this.db,
      ({ manager }) =>
        manager.update(
          StoredFile,
          { spaceId, id, status: 'uploading', refusedAt: IsNull() },
          { status: 'ready', mimeType, fileType: fileTypeOf(mimeType), width, height },
        ),
      { spaceId, place: id },
    );
    // A concurrent confirmation was first, or the file was removed as unattached.
    if (confirmed.affected === 0 && (await find())?.status !== 'ready') throw fileNotFound();
    return { fileName };
  }

  private async checkSize(file: StoredFile): Promise<void> {
    if (file.refusedAt !== null) throw sizeMismatch();
    const stored = await this.storage.stat(storageKey(file));
    if (!stored) throw notUploaded();
    const { fileMaxBytes } = this.settings;
    if (stored.size > fileMaxBytes) throw fileTooLarge(fileMaxBytes);
    if (stored.size === file.fileSize) return;
    const { spaceId, id } = file;
    await runInTx(
      this.db,
      ({ manager }) =>
        manager.update(
          StoredFile,
          { spaceId, id, status: 'uploading' },
          { refusedAt: () => 'clock_timestamp()' },
        ),
      { spaceId, place: id },
    );
    throw sizeMismatch();
  }
}
