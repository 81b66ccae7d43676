import type { FileStorage } from '@tieline/storage';
import { storageKey } from '../files.queries.js';
import type { StoredFile } from '../file.entity.js';

/** Decisions, section 6. */
const DOWNLOAD_URL_SECONDS = 5 * 60;

/** A link by which anyone may read a file for a while. */
export interface DownloadUrl {
  file: StoredFile;
  url: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** Makes a link to a ready file. The caller has checked access. */
export async function downloadUrl(storage: FileStorage, file: StoredFile): Promise<DownloadUrl> {
  const expiresAt = Math.floor(Date.now() / 1000) + DOWNLOAD_URL_SECONDS;
  const url = await storage.downloadUrl(storageKey(file), {
    fileName: file.fileName,
    contentType: file.mimeType,
    expiresAt,
  });
  return { file, url, expiresAt };
}
