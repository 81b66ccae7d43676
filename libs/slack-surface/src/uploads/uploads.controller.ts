import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ReceiveUpload, UPLOAD_AFTER_EXPIRY_MS } from '@tieline/files';
import { documentErrorsIn, ErrorShape, StreamedBody } from '@tieline/platform/http';
import { IncomingUpload, linkRefused } from '@tieline/storage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UPLOADS_PATH } from '../paths.js';
import { fileInForm, formBoundary, MAX_FORM_AROUND_FILE } from './form-file.js';
import { UploadTokens } from './upload-tokens.js';

/** A connection without any transferred byte for this long is closed, in milliseconds. */
const IDLE_MS = 30_000;
/** How long the rest of a refused upload is read, so that the client reads the response. */
const DRAIN_MS = 5000;
const BYTES = { type: 'string', format: 'binary' };

/** Receives the files of Slack apps (docs/slack-apps.md#uploads). */
@Controller(UPLOADS_PATH)
@ErrorShape('code')
@ApiTags('public: slack')
export class SlackUploadsController {
  constructor(
    private readonly tokens: UploadTokens,
    private readonly receive: ReceiveUpload,
  ) {}

  /**
   * Stores the bytes of a file at the `upload_url` of `files.getUploadURLExternal`: the whole body,
   * or the field `body`, `file` or `filename` of a multipart form. Needs no header, because the
   * token in the address is the permission. 403 if the address is wrong or has expired, or the file
   * is stored. 400 for another size than declared. 409 during another upload.
   */
  @Post(':upload_token')
  @HttpCode(200)
  @StreamedBody({ asksForBody: true })
  @ApiOperation({
    operationId: 'uploadSlackFile',
    summary: 'Uploads a file of a Slack app at its upload_url',
  })
  @ApiParam({ name: 'upload_token', description: 'the end of upload_url' })
  @ApiConsumes('*/*')
  @ApiBody({ description: 'the bytes of the file, or a multipart form with the file', schema: BYTES })
  @ApiResponse({
    status: 200,
    description: 'the number of bytes',
    content: { 'text/plain': { schema: { type: 'string' }, example: 'OK - 48213' } },
  })
  @documentErrorsIn('code', 400, 403, 409, 503)
  async upload(
    @Param('upload_token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const upload = new IncomingUpload(request.raw, reply.raw);
    try {
      const bytes = await this.store(token, upload, request.raw.headers['content-type'] ?? '');
      void reply.type('text/plain; charset=utf-8');
      return `OK - ${bytes}`;
    } finally {
      upload.drain(DRAIN_MS);
    }
  }

  private async store(token: string, upload: IncomingUpload, contentType: string): Promise<number> {
    const subject = this.tokens.read(token);
    if (!subject) throw linkRefused();
    const boundary = formBoundary(contentType);
    const isForm = boundary !== undefined;
    const deadlineMs = subject.expiresAt * 1000 + UPLOAD_AFTER_EXPIRY_MS;
    const body = (): AsyncGenerator<Buffer> => upload.bytes({ idleMs: IDLE_MS, deadlineMs });
    return this.receive.run(subject, {
      upload,
      announcedSize: isForm ? undefined : upload.announcedSize,
      mostBytes: (fileSize) => fileSize + (isForm ? MAX_FORM_AROUND_FILE : 0),
      content: () => (isForm ? fileInForm(body(), boundary) : body()),
    });
  }
}
