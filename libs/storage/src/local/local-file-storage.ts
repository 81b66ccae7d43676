import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  FileStorage,
  ObjectExistsError,
  ObjectNotFoundError,
  StorageUnavailableError,
  validateKey,
  toStorageError,
  limitContent,
  type ByteRange,
  type OpenedObject,
  type PutLimits,
  type UploadTarget,
} from '../file-storage.js';
import { UploadLocks } from './upload-locks.js';
import { StorageUrls, type StorageUrlSettings } from './storage-urls.js';

/** Folder for uploads in progress. The leading dot keeps it apart from all keys. */
const INCOMING = '.incoming';
/** Folder for the locks of keys that are being uploaded. */
const UPLOADING = '.uploading';
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Files on the local disk. An upload is written to a temporary file, flushed to the disk and then
 * linked to its name. A crash therefore leaves no partial object, and of two uploads to one key the
 * second fails.
 */
export class LocalFileStorage extends FileStorage {
  private readonly locks: UploadLocks;

  /**
   * @param root folder of the objects, created if it is missing
   * @param minFreeBytes free space on the disk that an upload must leave
   */
  constructor(
    private readonly root: string,
    private readonly urls: StorageUrls,
    private readonly minFreeBytes = 0,
  ) {
    super();
    this.locks = new UploadLocks(join(root, UPLOADING));
  }

  /** Creates storage in DATA_DIR, with links that start with PUBLIC_URL. */
  static fromSettings(
    settings: StorageUrlSettings & { readonly dataDir: string },
    minFreeBytes = 0,
  ): LocalFileStorage {
    const root = join(settings.dataDir, 'files');
    return new LocalFileStorage(root, StorageUrls.fromSettings(settings), minFreeBytes);
  }

  override async put(key: string, content: AsyncIterable<Uint8Array>, limits: PutLimits): Promise<number> {
    const path = this.pathOf(key);
    try {
      return await this.locks.hold(key, async () => {
        await this.requireFreeSpace(limits.maxBytes);
        return this.write(path, limitContent(content, limits));
      });
    } catch (error) {
      throw toStorageError(error);
    }
  }

  override async stat(key: string): Promise<{ size: number } | undefined> {
    try {
      const { size } = await stat(this.pathOf(key));
      return { size };
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw toStorageError(error);
    }
  }

  override async open(key: string, range?: ByteRange): Promise<OpenedObject> {
    const file = await open(this.pathOf(key), 'r').catch((error: unknown) => {
      throw hasCode(error, 'ENOENT') ? new ObjectNotFoundError('no such object') : toStorageError(error);
    });
    try {
      const { size, mtimeMs } = await file.stat();
      if (range && !(range.start >= 0 && range.start <= range.end && range.end < size))
        throw new RangeError('range outside the object');
      return {
        size,
        version: `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`,
        stream: file.createReadStream({ ...range }),
      };
    } catch (error) {
      await file.close();
      throw toStorageError(error);
    }
  }

  override async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true }).catch((error: unknown) => {
      throw toStorageError(error);
    });
  }

  override async uploadTarget(
    key: string,
    upload: { maxBytes: number; isExact?: boolean; contentType: string; expiresAt: number },
  ): Promise<UploadTarget> {
    const claims = {
      max_bytes: String(upload.maxBytes),
      ...(upload.isExact && { exact: '1' }),
      content_type: upload.contentType,
    };
    const url = this.urls.sign({ method: 'PUT', key, expiresAt: upload.expiresAt, claims });
    return { url, method: 'PUT', headers: { 'content-type': upload.contentType } };
  }

  override async downloadUrl(
    key: string,
    download: { fileName: string; contentType: string; expiresAt: number },
  ): Promise<string> {
    const claims = { file_name: download.fileName, content_type: download.contentType };
    return this.urls.sign({ method: 'GET', key, expiresAt: download.expiresAt, claims });
  }

  /** Deletes leftovers of uploads that a crash interrupted more than a day ago. */
  override async removeAbandonedUploads(nowMs = Date.now()): Promise<number> {
    const folder = join(this.root, INCOMING);
    let removed = 0;
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      const written = await stat(path).catch(() => undefined);
      if (!written || nowMs - written.mtimeMs < ABANDONED_AFTER_MS) continue;
      await rm(path, { force: true });
      removed++;
    }
    return removed;
  }

  private async write(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const incoming = join(this.root, INCOMING, randomUUID());
    try {
      await createFolder(dirname(incoming));
      const size = await writeDurably(incoming, content);
      await createFolder(dirname(path));
      await link(incoming, path).catch((error: unknown) => {
        throw hasCode(error, 'EEXIST') ? new ObjectExistsError('the object exists already') : error;
      });
      await flush(dirname(path));
      return size;
    } finally {
      await rm(incoming, { force: true }).catch(() => undefined);
    }
  }

  /** @throws StorageUnavailableError if this many bytes would leave too little free space */
  private async requireFreeSpace(bytes: number): Promise<void> {
    if (this.minFreeBytes === 0) return;
    const { bavail, bsize } = await statfs(this.root);
    if (bavail * bsize - bytes < this.minFreeBytes)
      throw new StorageUnavailableError(
        new Error('the upload would leave less than FILE_DISK_FREE_BYTES on the disk'),
      );
  }

  private pathOf(key: string): string {
    return join(this.root, ...validateKey(key).split('/'));
  }
}

async function writeDurably(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, content);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/**
 * Creates a folder and its parents. Also flushes the entry of a new folder, because a crash could
 * otherwise lose it with its files.
 */
async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (!first) return;
  for (let parent = dirname(path); parent.length >= dirname(first).length; parent = dirname(parent)) {
    await flush(parent);
    if (parent === dirname(parent)) return;
  }
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
