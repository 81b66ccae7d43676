import { randomUUID } from 'node:crypto';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { StorageSettings } from '../storage.settings.js';
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
import { contentDisposition, servedType } from '../local/served-as.js';

/** The settings of the S3 connection, a part of `StorageSettings`. */
export type S3Settings = Pick<
  StorageSettings,
  's3Endpoint' | 's3Region' | 's3Bucket' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3ForcePathStyle'
>;

/**
 * Timeouts in milliseconds. `response` limits the time until the response starts. An upload may
 * take longer as long as bytes are transferred.
 */
export interface S3Timeouts {
  readonly connect: number;
  readonly response: number;
  /** Between two bytes. */
  readonly idle: number;
}

const TIMEOUTS: S3Timeouts = { connect: 3000, response: 10_000, idle: 30_000 };
const silent = (): void => undefined;
/** Maximum lifetime of a presigned link. */
const MAX_LIFE_S = 604_800;

/**
 * Files in S3-compatible storage. Clients send and fetch the bytes there with presigned links. The
 * SDK's own checksums are disabled, because many implementations do not support them.
 */
export class S3FileStorage extends FileStorage {
  private readonly client: S3Client;
  private readonly bucket: string;

  /** @param spool folder for the temporary files of {@link put} */
  constructor(
    settings: S3Settings,
    private readonly timeouts: S3Timeouts = TIMEOUTS,
    private readonly spool = tmpdir(),
  ) {
    super();
    this.bucket = settings.s3Bucket;
    this.client = new S3Client({
      region: settings.s3Region,
      ...(settings.s3Endpoint === undefined ? {} : { endpoint: settings.s3Endpoint }),
      forcePathStyle: settings.s3ForcePathStyle,
      credentials: { accessKeyId: settings.s3AccessKeyId, secretAccessKey: settings.s3SecretAccessKey },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 2,
      // Errors are thrown and logged by the caller.
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      requestHandler: { connectionTimeout: timeouts.connect, socketTimeout: timeouts.idle },
    });
  }

  /**
   * Writes the content to a temporary file first, because the length must be known before the first
   * byte is sent.
   */
  override async put(key: string, content: AsyncIterable<Uint8Array>, limits: PutLimits): Promise<number> {
    const object = this.object(key);
    const path = join(this.spool, `tieline-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600).catch((error: unknown) => {
      throw toStorageError(error);
    });
    try {
      await writeFile(file, limitContent(content, limits));
      const { size } = await file.stat();
      await this.send(object, file, size);
      return size;
    } catch (error) {
      throw toStorageError(error);
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  }

  override async stat(key: string): Promise<{ size: number } | undefined> {
    const command = new HeadObjectCommand(this.object(key));
    try {
      const { ContentLength = 0 } = await this.withTimeout((abortSignal) =>
        this.client.send(command, { abortSignal }),
      );
      return { size: ContentLength };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw new StorageUnavailableError(error);
    }
  }

  override async open(key: string, range?: ByteRange): Promise<OpenedObject> {
    if (range && !(range.start >= 0 && range.start <= range.end))
      throw new RangeError('range outside the object');
    const command = new GetObjectCommand({
      ...this.object(key),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    const response = await this.withTimeout((abortSignal) =>
      this.client.send(command, { abortSignal }),
    ).catch((error: unknown) => {
      if (error instanceof S3ServiceException && error.name === 'NoSuchKey')
        throw new ObjectNotFoundError('no such object');
      if (statusOf(error) === 416) throw new RangeError('range outside the object');
      throw new StorageUnavailableError(error);
    });
    const stream = response.Body as Readable;
    const [, end, total] = /^bytes \d+-(\d+)\/(\d+)$/.exec(response.ContentRange ?? '') ?? [];
    // S3 shortens a range that starts inside the object and ends outside.
    if (range && Number(end) !== range.end) {
      stream.destroy();
      throw new RangeError('range outside the object');
    }
    const version = (response.ETag ?? '').replace(/[^\x21-\x7e]|"/g, '');
    return { size: range ? Number(total) : (response.ContentLength ?? 0), version, stream };
  }

  override async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.object(key));
    await this.withTimeout((abortSignal) => this.client.send(command, { abortSignal })).catch(
      (error: unknown) => {
        // S3 accepts the removal of a missing object; some implementations do not.
        if (!(error instanceof S3ServiceException && error.name === 'NoSuchKey'))
          throw new StorageUnavailableError(error);
      },
    );
  }

  /**
   * Signs type, length and `If-None-Match: *`, so that the link can store nothing else and
   * overwrite nothing. The length is not in the returned headers, because every HTTP client sets
   * it.
   */
  override async uploadTarget(
    key: string,
    upload: { maxBytes: number; contentType: string; expiresAt: number },
  ): Promise<UploadTarget> {
    const command = new PutObjectCommand({
      ...this.object(key),
      ContentType: upload.contentType,
      ContentLength: upload.maxBytes,
      IfNoneMatch: '*',
    });
    // The SDK would not sign the type by default.
    const url = await getSignedUrl(this.client, command, {
      ...lifetimeUntil(upload.expiresAt),
      signableHeaders: new Set(['content-type']),
    });
    return { url, method: 'PUT', headers: { 'content-type': upload.contentType, 'if-none-match': '*' } };
  }

  override async downloadUrl(
    key: string,
    download: { fileName: string; contentType: string; expiresAt: number },
  ): Promise<string> {
    const command = new GetObjectCommand({
      ...this.object(key),
      ResponseContentDisposition: contentDisposition(download.fileName),
      ResponseContentType: servedType(download.contentType),
      ResponseCacheControl: 'private, no-cache',
    });
    return getSignedUrl(this.client, command, lifetimeUntil(download.expiresAt));
  }

  private async send(object: { Bucket: string; Key: string }, file: FileHandle, size: number): Promise<void> {
    const body = file.createReadStream({ start: 0, autoClose: false });
    const unreadable = new AbortController();
    body.on('error', () => unreadable.abort());
    try {
      await this.client.send(
        new PutObjectCommand({ ...object, Body: body, ContentLength: size, IfNoneMatch: '*' }),
        { abortSignal: unreadable.signal },
      );
    } catch (error) {
      throw statusOf(error) === 412
        ? new ObjectExistsError('the object exists already')
        : new StorageUnavailableError(error);
    } finally {
      body.destroy();
    }
  }

  private object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: validateKey(key) };
  }

  /**
   * Aborts if storage does not start to respond in time. Reading the body afterwards has its own
   * limits.
   */
  private async withTimeout<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), this.timeouts.response);
    try {
      return await request(abort.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Returns a lifetime that starts now, or one that has already expired if that time is in the past.
 */
function lifetimeUntil(expiresAt: number): { signingDate: Date; expiresIn: number } {
  const signedAt = Math.min(Math.floor(Date.now() / 1000), expiresAt - 1);
  return { signingDate: new Date(signedAt * 1000), expiresIn: Math.min(expiresAt - signedAt, MAX_LIFE_S) };
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
