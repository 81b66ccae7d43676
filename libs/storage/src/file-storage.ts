import type { Readable } from 'node:stream';
import { ApiError } from '@tieline/platform/http';

/** An object's bytes: inclusive first and last position, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An opened object. The stream must be read to its end or destroyed. */
export interface OpenedObject {
  /** Size of the whole object in bytes, whatever range the stream gives. */
  readonly size: number;
  /** Printable ASCII without quotes that is another one when other bytes lie under the key. */
  readonly version: string;
  readonly stream: Readable;
}

/** Where and how a client sends an object's bytes by itself. */
export interface UploadTarget {
  readonly url: string;
  readonly method: 'PUT';
  /** The client must send exactly these; they are part of the signature. */
  readonly headers: Readonly<Record<string, string>>;
}

/** There is no object under the key. */
export class ObjectNotFoundError extends Error {}
/** There is an object under the key already; objects are never overwritten. */
export class ObjectExistsError extends Error {}
/** Bytes for this key are on their way already. */
export class UploadInProgressError extends Error {}
/** More bytes came than were allowed; nothing was stored. */
export class ObjectTooLargeError extends Error {}
/** Not as many bytes came as were announced; nothing was stored. */
export class ObjectSizeError extends Error {}

/**
 * The store is down, too slow or refuses us: 503 where it reaches a caller, and worth another try
 * in a job. `cause` says why.
 */
export class StorageUnavailableError extends ApiError {
  constructor(cause: unknown) {
    super(503, 'unavailable', 'service unavailable', { headers: { 'retry-after': '1' } });
    this.cause = cause;
  }
}

/** How many bytes an object may have. */
export interface PutLimits {
  readonly maxBytes: number;
  /** It must have exactly so many. */
  readonly size?: number;
}

/**
 * The port to where file bytes are kept. Keys are one to three segments of lower-case letters,
 * digits and hyphens, such as `<space id>/<file id>`; another key is a RangeError. Objects appear
 * whole or not at all, and never change. Every operation can throw {@link StorageUnavailableError};
 * none takes longer than seconds to say so.
 */
export abstract class FileStorage {
  /**
   * Stores what `content` yields, durably, and answers the number of bytes.
   * @param limits `size`: how many bytes must come
   * @throws ObjectTooLargeError as soon as more than `maxBytes` came · ObjectSizeError ·
   * ObjectExistsError · UploadInProgressError where the store can tell
   */
  abstract put(key: string, content: AsyncIterable<Uint8Array>, limits: PutLimits): Promise<number>;

  /** Size in bytes, or undefined when there is no such object. */
  abstract stat(key: string): Promise<{ size: number } | undefined>;

  /**
   * Opens an object for reading, whole or a range of it. @throws ObjectNotFoundError · RangeError
   * for a range outside it
   */
  abstract open(key: string, range?: ByteRange): Promise<OpenedObject>;

  /** Removes an object; one that is not there is no error. */
  abstract remove(key: string): Promise<void>;

  /**
   * A link by which anyone may store this one object until `expiresAt` (Unix seconds), of this type
   * and of at most `maxBytes`; of exactly so many with `isExact`, and always where the store cannot
   * compare but only sign a length: S3.
   */
  abstract uploadTarget(
    key: string,
    upload: { maxBytes: number; isExact?: boolean; contentType: string; expiresAt: number },
  ): Promise<UploadTarget>;

  /**
   * A link by which anyone may read this one object until `expiresAt` (Unix seconds), under the
   * given name and type. Types that a browser would run are given as `application/octet-stream`.
   */
  abstract downloadUrl(
    key: string,
    download: { fileName: string; contentType: string; expiresAt: number },
  ): Promise<string>;

  /**
   * Clears away what uploads that broke off left behind long ago, where the store does not do so
   * itself; answers how many it were.
   */
  async removeAbandonedUploads(_nowMs = Date.now()): Promise<number> {
    return 0;
  }
}

const KEY = /^[a-z0-9][a-z0-9-]{0,63}(?:\/[a-z0-9][a-z0-9-]{0,63}){0,2}$/;

/**
 * Gives the key back when it has the form of one. No dot can be part of it, so none leads out of
 * the storage's root. @throws RangeError
 */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new RangeError('not a storage key');
  return key;
}

/**
 * Marks what went wrong with the content on its way, so that nobody takes it for a fault of the
 * disk.
 */
class ContentFault extends Error {
  constructor(readonly fault: unknown) {
    super('the content failed');
  }
}

/**
 * Hands the content on as it comes, and fails as soon as it is known that it has not the right
 * size. What fails here is told apart by {@link diskFault}, which everything that reads it has to
 * pass its errors through.
 */
export async function* limited(
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
    throw new ContentFault(error);
  }
}

/**
 * What a disk reports (full, broken, not ours) means that the store is down; errors of {@link
 * limited} content stay what they are.
 */
export function diskFault(error: unknown): unknown {
  if (error instanceof ContentFault) return error.fault;
  return isObject(error) && 'syscall' in error ? new StorageUnavailableError(error) : error;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
