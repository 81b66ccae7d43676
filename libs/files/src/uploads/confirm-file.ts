import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { FileStorage } from '@tieline/storage';
import { IsNull } from 'typeorm';
import { inspectContent } from './file-content.js';
import { fileNotFound, fileTooLarge, notUploaded, sizeMismatch } from '../files.errors.js';
import { findOwnFile, storageKey } from '../files.queries.js';
import type { Uploader } from '../files.queries.js';
import { StoredFile } from '../file.entity.js';
import { fileTypeOf } from './media-types.js';

/** A file to confirm, and the maximum size of files. */
export interface Confirmation {
  fileId: string;
  /** Given by bots. */
  conversationId: string | undefined;
  maxBytes: number;
}

/**
 * Marks a file as ready if its bytes are in storage. Repeating succeeds, also concurrently. Bytes
 * that differ from the declared size make the file permanently unusable, because stored objects
 * cannot be replaced.
 *
 * @throws 404 unknown, another person's or another conversation's; 400 not uploaded, or not the
 * declared size; 503 storage is unavailable
 */
export async function confirmFile(
  db: Db,
  storage: FileStorage,
  owner: Uploader,
  { fileId, conversationId, maxBytes }: Confirmation,
): Promise<void> {
  const file = await findOwnFile(db, owner, fileId, conversationId);
  if (!file) throw fileNotFound();
  if (file.status === 'ready') return;
  await checkSize(db, storage, file, maxBytes);
  const { mimeType, width, height } = await inspectContent(storage, file);
  const { spaceId, id } = file;
  const confirmed = await runInTx(
    db,
    ({ manager }) =>
      manager.update(
        StoredFile,
        { spaceId, id, status: 'uploading', refusedAt: IsNull() },
        { status: 'ready', mimeType, fileType: fileTypeOf(mimeType), width, height },
      ),
    { spaceId, place: id },
  );
  // A concurrent confirmation was first, or the file was removed as unattached.
  if (confirmed.affected === 0 && (await findOwnFile(db, owner, fileId, conversationId))?.status !== 'ready')
    throw fileNotFound();
}

async function checkSize(db: Db, storage: FileStorage, file: StoredFile, maxBytes: number): Promise<void> {
  if (file.refusedAt !== null) throw sizeMismatch();
  const stored = await storage.stat(storageKey(file));
  if (!stored) throw notUploaded();
  if (stored.size > maxBytes) throw fileTooLarge(maxBytes);
  if (stored.size === file.fileSize) return;
  const { spaceId, id } = file;
  await runInTx(
    db,
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
