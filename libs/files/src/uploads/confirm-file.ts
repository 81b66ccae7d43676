import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { FileStorage } from '@tieline/storage';
import { IsNull } from 'typeorm';
import { inspectContent } from './file-content.js';
import { fileNotFound, fileTooLarge, notUploaded, otherSize } from '../files.errors.js';
import { findOwnFile, storageKey } from '../files.queries.js';
import type { Uploader } from '../files.queries.js';
import { StoredFile } from '../file.entity.js';
import { fileTypeOf } from './media-types.js';

/** Which file is confirmed, and how large files may be at all. */
export interface Confirmation {
  fileId: string;
  /** Bots name it. */
  conversationId: string | undefined;
  maxBytes: number;
}

/**
 * Makes a file ready once its bytes are in the store (contract, Files); repeating is fine, also at
 * the same time. Other bytes than declared make the file permanently unusable, because what is
 * stored under its key can't be replaced.
 *
 * @throws 404 unknown, somebody else's or another conversation's; 400 not uploaded, another size
 * than declared; 503 store away
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
  // Somebody else was first: with this confirmation, or with the removal of what was never
  // attached.
  if (confirmed.affected === 0 && (await findOwnFile(db, owner, fileId, conversationId))?.status !== 'ready')
    throw fileNotFound();
}

async function checkSize(db: Db, storage: FileStorage, file: StoredFile, maxBytes: number): Promise<void> {
  if (file.refusedAt !== null) throw otherSize();
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
  throw otherSize();
}
