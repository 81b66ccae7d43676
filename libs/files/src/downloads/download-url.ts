import type { FileStorage } from '@tieline/storage';
import { storageKey } from '../files.queries.js';
import type { StoredFile } from '../file.entity.js';

/** Lifetime of a download link. */
const DOWNLOAD_URL_SECONDS = 5 * 60;

/** A link with which anyone can read a file until it expires. */
export interface DownloadUrl {
  file: StoredFile;
  url: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** Creates a link to a ready file. The caller has checked access. */
export async function downloadUrl(storage: FileStorage, file: StoredFile): Promise<DownloadUrl> {
  const expiresAt = Math.floor(Date.now() / 1000) + DOWNLOAD_URL_SECONDS;
  const url = await storage.downloadUrl(storageKey(file), {
    fileName: file.fileName,
    contentType: file.mimeType,
    expiresAt,
  });
  return { file, url, expiresAt };
}
