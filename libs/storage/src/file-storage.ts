import type { Readable } from 'node:stream';
import { ApiError } from '@tieline/platform/http';

/** A range of an object's bytes: first and last position, inclusive, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An opened object. The stream must be read to its end or destroyed. */
export interface OpenedObject {
  /** Size of the whole object in bytes, also if the stream covers only a range. */
  readonly size: number;
  /** Printable ASCII without quotes that differs for different bytes under the same key. */
  readonly version: string;
  readonly stream: Readable;
}

/** Where and how a client sends an object's bytes. */
export interface UploadTarget {
  readonly url: string;
  readonly method: 'PUT';
  /** The client must send exactly these; they are part of the signature. */
  readonly headers: Readonly<Record<string, string>>;
}

/** There is no object with the key. */
export class ObjectNotFoundError extends Error {}
/** There already is an object with the key; objects are never overwritten. */
export class ObjectExistsError extends Error {}
/** An upload for this key is in progress. */
export class UploadInProgressError extends Error {}
/** More bytes arrived than allowed; nothing was stored. */
export class ObjectTooLargeError extends Error {}
/** The number of bytes differs from the announced one; nothing was stored. */
export class ObjectSizeError extends Error {}

/**
 * Storage is down, too slow or refuses access. Requests get 503; jobs should retry. `cause` has the
 * reason.
 */
export class StorageUnavailableError extends ApiError {
  constructor(cause: unknown) {
    super(503, 'unavailable', 'service unavailable', { headers: { 'retry-after': '1' } });
    this.cause = cause;
  }
}

/** Limits for the size of an object. */
export interface PutLimits {
  readonly maxBytes: number;
  /** Exact size in bytes, if known. */
  readonly size?: number;
}

/**
 * The port to storage of file bytes. Keys have one to three segments of lower-case letters, digits
 * and hyphens, such as `<space id>/<file id>`; any other key is a RangeError. Objects appear as a
 * whole or not at all, and never change. Every operation can throw {@link StorageUnavailableError},
 * which takes a few seconds at most.
 */
export abstract class FileStorage {
  /**
   * Stores the bytes that `content` yields, durably, and returns their number.
   * @param limits `size`: the exact number of bytes
   * @throws ObjectTooLargeError as soon as more than `maxBytes` arrived · ObjectSizeError ·
   * ObjectExistsError · UploadInProgressError if storage can detect it
   */
  abstract put(key: string, content: AsyncIterable<Uint8Array>, limits: PutLimits): Promise<number>;

  /** Returns the size in bytes, or undefined if there is no such object. */
  abstract stat(key: string): Promise<{ size: number } | undefined>;

  /**
   * Opens an object, or a range of it, for reading.
   * @throws ObjectNotFoundError · RangeError for a range outside it
   */
  abstract open(key: string, range?: ByteRange): Promise<OpenedObject>;

  /** Removes an object. Does nothing if it does not exist. */
  abstract remove(key: string): Promise<void>;

  /**
   * Creates a link with which anyone can store this object until `expiresAt` (Unix seconds), with
   * this type and at most `maxBytes`. With `isExact` the size must be exactly `maxBytes`. S3 can
   * only sign an exact length, so there it always must.
   */
  abstract uploadTarget(
    key: string,
    upload: { maxBytes: number; isExact?: boolean; contentType: string; expiresAt: number },
  ): Promise<UploadTarget>;

  /**
   * Creates a link with which anyone can read this object until `expiresAt` (Unix seconds), with
   * the given name and type. Types that a browser would execute are served as
   * `application/octet-stream`.
   */
  abstract downloadUrl(
    key: string,
    download: { fileName: string; contentType: string; expiresAt: number },
  ): Promise<string>;

  /**
   * Removes leftovers of interrupted uploads, if storage does not do so itself. Returns their
   * number.
   */
  async removeAbandonedUploads(_nowMs = Date.now()): Promise<number> {
    return 0;
  }
}

const KEY = /^[a-z0-9][a-z0-9-]{0,63}(?:\/[a-z0-9][a-z0-9-]{0,63}){0,2}$/;

/**
 * Returns the key if it is well-formed. Keys contain no dots, so none leads out of the storage
 * root.
 * @throws RangeError
 */
export function validateKey(key: string): string {
  if (!KEY.test(key)) throw new RangeError('not a storage key');
  return key;
}

/** Wraps an error of the content, to distinguish it from an error of the disk. */
class ContentError extends Error {
  constructor(readonly original: unknown) {
    super('reading the content failed');
  }
}

/**
 * Passes the content on, and fails as soon as its size is known to be wrong. Readers must pass
 * errors through {@link toStorageError}, which recognizes errors thrown here.
 */
export async function* limitContent(
  content: AsyncIterable<Uint8Array>,
  { maxBytes, size: expected }: PutLimits,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (expected !== undefined && size > expected) throw new ObjectSizeError('more bytes than announced');
      if (size > maxBytes) throw new ObjectTooLargeError('more bytes than allowed');
      yield chunk;
    }
    if (expected !== undefined && size < expected) throw new ObjectSizeError('fewer bytes than announced');
  } catch (error) {
    throw new ContentError(error);
  }
}

/**
 * Converts errors of the disk (full, broken, no access) to StorageUnavailableError. Returns errors
 * of {@link limitContent} content unchanged.
 */
export function toStorageError(error: unknown): unknown {
  if (error instanceof ContentError) return error.original;
  return isObject(error) && 'syscall' in error ? new StorageUnavailableError(error) : error;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
