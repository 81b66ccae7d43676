import { ObjectNotFoundError, StorageUnavailableError } from '@tieline/storage';
import type { FileStorage } from '@tieline/storage';
import { fileTypeFromBuffer } from 'file-type';
import { notUploaded } from '../files.errors.js';
import { storageKey } from '../files.queries.js';
import type { StoredFile } from '../file.entity.js';
import { imageDimensions, isJpeg } from './image-dimensions.js';
import type { Dimensions } from './image-dimensions.js';
import { essenceOf, fileTypeOf, GENERIC_TYPE, isAllowedType } from './media-types.js';

/** What a file's first bytes reveal. */
export interface FileContent extends Dimensions {
  mimeType: string;
}

/**
 * Enough for all formats except JPEGs with large previews and color profiles, which are read again.
 * In bytes.
 */
const START_BYTES = 128 * 1024;
const JPEG_START_BYTES = 4 * 1024 * 1024;
const READ_MS = 10_000;

/**
 * Inspects an uploaded file. Replaces the generic `application/octet-stream` with the detected type
 * if that may be uploaded, and reads the size of images. Reads a limited part of the file.
 * @throws 400 if the bytes are missing; 503 if storage is unavailable
 */
export async function inspectContent(storage: FileStorage, file: StoredFile): Promise<FileContent> {
  if (file.mimeType !== GENERIC_TYPE && file.fileType !== 'image')
    return { mimeType: file.mimeType, width: 0, height: 0 };
  const start = await readStart(storage, file, START_BYTES);
  const mimeType = file.mimeType === GENERIC_TYPE ? await sniffType(start) : file.mimeType;
  if (fileTypeOf(mimeType) !== 'image') return { mimeType, width: 0, height: 0 };
  const dimensions = imageDimensions(start);
  if (dimensions.width > 0 || !isJpeg(start) || start.length === file.fileSize)
    return { mimeType, ...dimensions };
  return { mimeType, ...imageDimensions(await readStart(storage, file, JPEG_START_BYTES)) };
}

/**
 * Returns the type of a file that starts with these bytes, or the generic type if it is unknown or
 * may not be uploaded. Never throws.
 */
export async function sniffType(start: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  const essence = found && essenceOf(found.mime);
  return essence !== undefined && isAllowedType(essence) ? essence : GENERIC_TYPE;
}

async function readStart(storage: FileStorage, file: StoredFile, maxBytes: number): Promise<Uint8Array> {
  const range = { start: 0, end: Math.min(file.fileSize, maxBytes) - 1 };
  const { stream } = await storage.open(storageKey(file), range).catch((error: unknown) => {
    throw error instanceof ObjectNotFoundError ? notUploaded() : error;
  });
  const timer = setTimeout(() => stream.destroy(new Error('storage sends too slowly')), READ_MS);
  try {
    return Buffer.concat(await stream.toArray());
  } catch (error) {
    throw new StorageUnavailableError(error);
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}
