import type { Readable } from 'node:stream';
import { Controller, Get, Head, HttpCode, Put, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Answers, documentErrors, notFound, OkAnswer, StreamedBody, tooLarge } from '@tieline/platform/http';
import { StorageSettings } from '../storage.settings.js';
import { clientHasCurrent, rangeApplies, requestedRange } from './byte-ranges.js';
import { FileStorage, ObjectNotFoundError, type ByteRange, type OpenedObject } from '../file-storage.js';
import { IncomingUpload } from './incoming-upload.js';
import { contentDisposition, servedType } from './served-as.js';
import { STORAGE_PATH, StorageUrls, type StorageGrant } from './storage-urls.js';
import { uploadRefusal } from './upload-refusals.js';
import {
  alreadyStored,
  linkRefused,
  contentTypeMismatch,
  sizeMismatch,
  rangeNotSatisfiable,
} from './storage.errors.js';

interface FileHeaders {
  etag: string;
  'accept-ranges': 'bytes';
  'content-type': string;
  'content-disposition': string;
}

/** Time limits of the routes, in milliseconds. */
export abstract class StorageTimeouts {
  /** A connection without any transferred byte for this long is closed. */
  abstract readonly idleMs: number;
  /** How long an upload may continue after its link has expired. */
  abstract readonly afterExpiryMs: number;
  /**
   * How long the rest of a refused upload is read and discarded, so that the client reads the
   * response.
   */
  abstract readonly drainMs: number;
}

/**
 * Prevents uploads from being executed, sniffed as another type, embedded elsewhere or kept in a
 * shared cache (docs/security.md#uploaded-files).
 */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
};
const PATH = {
  name: 'path',
  description: 'path of the link',
  example: '0199e2f4-7c1b-7000-8000-00000000abcd/0199e2f4-7c1b-7000-8000-00000000abce',
};
const BYTES = { type: 'string', format: 'binary' };
const QUERY = {
  name: 'signature',
  required: false,
  description: 'signature of the link; use links unchanged, any modification is refused',
};

/**
 * The links of local storage. A link works until it expires, without further authentication. Bytes
 * are streamed in both directions.
 */
@ApiTags('public: files')
@Controller('storage')
export class StorageController {
  constructor(
    private readonly settings: StorageSettings,
    private readonly storage: FileStorage,
    private readonly urls: StorageUrls,
    private readonly timeouts: StorageTimeouts,
  ) {}

  /**
   * Stores the body under a link's key. 403 for a wrong or expired link, another content type, or
   * if a file is already stored. 409 while another upload with the same link is in progress. 400 as
   * soon as the size is known to differ from the declared one. 413 as soon as it exceeds
   * FILE_MAX_BYTES. A file appears only when it is complete.
   */
  @Put('*')
  @HttpCode(200)
  @StreamedBody({ asksForBody: true })
  @ApiOperation({
    operationId: 'uploadFileBytes',
    summary: 'Uploads a file by its link (upload_url), with the headers of the upload session',
  })
  @ApiParam(PATH)
  @ApiQuery(QUERY)
  @ApiConsumes('*/*')
  @ApiBody({ description: 'the bytes of the file', schema: BYTES })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 409, 413, 503)
  async upload(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OkAnswer> {
    const upload = new IncomingUpload(request.raw, reply.raw);
    void reply.headers(SAFE_HEADERS);
    try {
      await this.store(request, upload);
      return { ok: true };
    } finally {
      upload.drain(this.timeouts.drainMs);
    }
  }

  /** Returns the headers of GET without the bytes. */
  @Head('*')
  @ApiOperation({
    operationId: 'headFileBytes',
    summary: 'Gets size and type of a file by its link (download_url)',
  })
  @ApiParam(PATH)
  @ApiQuery(QUERY)
  @ApiResponse({ status: 200, description: 'the headers of GET' })
  @documentErrors(403, 404, 503)
  async head(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { opened, headers } = await this.find(request, reply);
    opened.stream.destroy();
    await reply.headers({ ...headers, 'content-length': opened.size }).send();
  }

  /**
   * Returns the file, or the range given by `Range` (206; 416 if it is outside), or 304 for a
   * matching `If-None-Match`. Always as an attachment, and never with a type that a browser would
   * execute.
   */
  @Get('*')
  @ApiOperation({ operationId: 'downloadFileBytes', summary: 'Downloads a file by its link (download_url)' })
  @ApiParam(PATH)
  @ApiQuery(QUERY)
  @ApiResponse({ status: 200, description: 'the bytes', content: { '*/*': { schema: BYTES, example: '…' } } })
  @ApiResponse({
    status: 206,
    description: 'a range of the bytes',
    content: { '*/*': { schema: BYTES, example: '…' } },
  })
  @ApiResponse({ status: 304, description: 'the caller has these bytes (If-None-Match)' })
  @documentErrors(403, 404, 416, 503)
  async download(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { key, opened, headers } = await this.find(request, reply);
    const { range: wanted, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
    const isCurrent = clientHasCurrent(ifNoneMatch, headers.etag);
    const range = rangeApplies(ifRange as string | undefined, headers.etag)
      ? requestedRange(wanted, opened.size)
      : undefined;
    if (isCurrent || range !== undefined) opened.stream.destroy();
    if (isCurrent) return reply.status(304).header('etag', headers.etag).send();
    if (range === 'unsatisfiable') throw rangeNotSatisfiable(opened.size);
    request.raw.socket.setTimeout(this.timeouts.idleMs);
    const { stream, ...extent } = range
      ? await this.part(key, range)
      : { stream: opened.stream, 'content-length': opened.size };
    await reply
      .status(range ? 206 : 200)
      .headers({ ...headers, ...extent })
      .send(stream);
  }

  private async store(request: FastifyRequest, upload: IncomingUpload): Promise<void> {
    const { key, expiresAt, claims } = this.granted('PUT', request);
    if (request.raw.headers['content-type'] !== claims['content_type']) throw contentTypeMismatch();
    const declared = Number(claims['max_bytes']);
    const isExact = claims['exact'] !== undefined;
    const maxBytes = isExact ? this.settings.fileMaxBytes : Math.min(declared, this.settings.fileMaxBytes);
    if ((upload.announcedSize ?? 0) > maxBytes) throw tooLarge();
    if (await this.storage.stat(key)) throw alreadyStored();
    if (isExact && (upload.announcedSize ?? declared) !== declared) throw sizeMismatch(declared);
    const bytes = upload.bytes({
      idleMs: this.timeouts.idleMs,
      deadlineMs: expiresAt * 1000 + this.timeouts.afterExpiryMs,
    });
    await this.storage
      .put(key, bytes, { maxBytes, ...(isExact && { size: declared }) })
      .catch((error: unknown) => {
        throw uploadRefusal(error, upload, declared);
      });
  }

  private async find(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ key: string; opened: OpenedObject; headers: FileHeaders }> {
    void reply.headers(SAFE_HEADERS);
    const { key, claims } = this.granted('GET', request);
    const opened = await this.open(key);
    const { content_type: contentType = '', file_name: fileName = '' } = claims;
    const headers = {
      'content-type': servedType(contentType),
      'content-disposition': contentDisposition(fileName),
    };
    return { key, opened, headers: { etag: `"${opened.version}"`, 'accept-ranges': 'bytes', ...headers } };
  }

  private async part(
    key: string,
    range: ByteRange,
  ): Promise<{ stream: Readable; 'content-range': string; 'content-length': number }> {
    const { size, stream } = await this.open(key, range);
    return {
      stream,
      'content-range': `bytes ${range.start}-${range.end}/${size}`,
      'content-length': range.end - range.start + 1,
    };
  }

  private async open(key: string, range?: ByteRange): Promise<OpenedObject> {
    return this.storage.open(key, range).catch((error: unknown) => {
      throw error instanceof ObjectNotFoundError ? notFound() : error;
    });
  }

  /**
   * Verifies the signature of the raw URL, before anything is decoded.
   * @throws 403
   */
  private granted(method: 'GET' | 'PUT', request: FastifyRequest): StorageGrant {
    const { url = '' } = request.raw;
    const grant = url.startsWith(STORAGE_PATH)
      ? this.urls.verify(method, url.slice(STORAGE_PATH.length), Date.now())
      : undefined;
    if (!grant) throw linkRefused();
    return grant;
  }
}
