import { badRequest } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

/** The most that a form may have besides the file, in bytes. */
export const MAX_FORM_AROUND_FILE = 64 * 1024;
/** Fields in which clients send the file. */
const FIELDS = new Set(['body', 'file', 'filename']);
const END_OF_HEADERS = Buffer.from('\r\n\r\n');

/** Returns the boundary of a multipart form; undefined for another content type. */
export function formBoundary(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

/**
 * Yields the bytes of the first file in a multipart form, as they arrive. Ignores other fields.
 * @throws 400 for a form that is incomplete, has no file, or too much besides the file.
 */
export async function* fileInForm(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Uint8Array> {
  const parts = new FormParts(body, Buffer.from(`\r\n--${boundary}`));
  try {
    await parts.skip();
    while (!isFile(await parts.headers())) await parts.skip();
    yield* parts.content();
  } finally {
    await parts.close();
  }
}

/** @throws 400 at the last boundary, which ends with two hyphens */
function isFile(headers: string): boolean {
  if (headers.startsWith('--')) throw malformedForm();
  const [, disposition = ''] = /^content-disposition:\s*form-data(.*)$/im.exec(headers) ?? [];
  const [, quoted, plain = ''] = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  return FIELDS.has(quoted ?? plain) && /;\s*filename\*?=/i.test(disposition);
}

/** Reads the parts of a form one after another. */
class FormParts {
  private readonly chunks: AsyncIterator<Uint8Array>;
  /** Bytes that were not used yet. The first boundary may have no line break before it. */
  private rest: Buffer = Buffer.from('\r\n');
  /** Bytes besides the file that were read. */
  private around = 0;

  constructor(
    body: AsyncIterable<Uint8Array>,
    private readonly delimiter: Buffer,
  ) {
    this.chunks = body[Symbol.asyncIterator]();
  }

  /** Yields the bytes up to the end of the part. */
  content(): AsyncGenerator<Buffer> {
    return this.until(this.delimiter);
  }

  /** Discards the bytes up to the end of the part. */
  async skip(): Promise<void> {
    for await (const piece of this.until(this.delimiter)) this.count(piece);
  }

  /** Reads the headers of a part. */
  async headers(): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of this.until(END_OF_HEADERS)) {
      this.count(piece);
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  }

  /** Stops reading the body. */
  async close(): Promise<void> {
    await this.chunks.return?.();
  }

  private count({ length }: Buffer): void {
    this.around += length;
    if (this.around > MAX_FORM_AROUND_FILE) throw malformedForm();
  }

  /** Yields the bytes before the marker and consumes it. */
  private async *until(marker: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.rest.indexOf(marker);
      // The end of what is there may be the beginning of the marker.
      const known = at >= 0 ? at : Math.max(0, this.rest.length - marker.length + 1);
      const piece = this.rest.subarray(0, known);
      this.rest = this.rest.subarray(at >= 0 ? at + marker.length : known);
      if (piece.length > 0) yield piece;
      if (at >= 0) return;
      const { value, done } = await this.chunks.next();
      if (done) throw malformedForm();
      this.rest = Buffer.concat([this.rest, value]);
    }
  }
}

const malformedForm = (): ApiError =>
  badRequest('upload_form_malformed', 'the multipart form is incomplete or has no file');
