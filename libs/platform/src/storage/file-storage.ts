import type { Readable } from 'node:stream';

/** An object's bytes: inclusive first and last position, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An opened object. The stream must be read to its end or destroyed. */
export interface OpenedObject {
  /** Size of the whole object in bytes, whatever range the stream gives. */
  readonly size: number;
  readonly stream: Readable;
}

/** Where and how a client sends an object's bytes by itself. */
export interface UploadTarget {
  readonly url: string;
  readonly method: 'PUT';
  readonly headers: Readonly<Record<string, string>>;
}

/** There is no object under the key. */
export class ObjectNotFoundError extends Error {}
/** There is an object under the key already; objects are never overwritten. */
export class ObjectExistsError extends Error {}
/** More bytes came than were allowed; nothing was stored. */
export class ObjectTooLargeError extends Error {}

/**
 * The port to where file bytes are kept. Keys are one to three segments of lower-case letters, digits and hyphens, such as
 * `<space id>/<file id>`; another key is a RangeError. Objects appear whole or not at all, and never change.
 */
export abstract class FileStorage {
  /**
   * Stores what `content` yields, durably, and answers the number of bytes.
   * @throws ObjectTooLargeError as soon as more than `maxBytes` came · ObjectExistsError
   */
  abstract put(key: string, content: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<number>;

  /** Size in bytes, or undefined when there is no such object. */
  abstract stat(key: string): Promise<{ size: number } | undefined>;

  /** Opens an object for reading, whole or a range of it. @throws ObjectNotFoundError · RangeError for a range outside it */
  abstract open(key: string, range?: ByteRange): Promise<OpenedObject>;

  /** Removes an object; one that is not there is no error. */
  abstract remove(key: string): Promise<void>;

  /** A link by which anyone may store this one object until `expiresAt` (Unix seconds), of at most `maxBytes`. */
  abstract uploadTarget(key: string, upload: { maxBytes: number; contentType: string; expiresAt: number }): Promise<UploadTarget>;

  /** A link by which anyone may read this one object until `expiresAt` (Unix seconds), under the given name and type. */
  abstract downloadUrl(key: string, download: { fileName: string; contentType: string; expiresAt: number }): Promise<string>;
}

const KEY = /^[a-z0-9][a-z0-9-]{0,63}(?:\/[a-z0-9][a-z0-9-]{0,63}){0,2}$/;

/** Gives the key back when it has the form of one. No dot can be part of it, so none leads out of the storage's root. @throws RangeError */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new RangeError('not a storage key');
  return key;
}
