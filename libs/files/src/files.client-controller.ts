import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { chatAccess, chatErrors, findConversation, PersonRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  HasOwnRate,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { FileStorage, StorageSettings } from '@tieline/storage';
import { downloadUrl } from './downloads/download-url.js';
import { CreateUploadSessionDto, newUpload } from './dto/create-upload-session.dto.js';
import { PersonsFileDto } from './dto/file-conversation.dto.js';
import {
  ConfirmedFileAnswer,
  DownloadUrlAnswer,
  downloadUrlAnswer,
  UploadSessionAnswer,
  uploadSessionAnswer,
} from './file.view.js';
import { fileNotFound } from './files.errors.js';
import { findAttachedFile } from './files.queries.js';
import { ConfirmFile } from './uploads/confirm-file.js';
import { CreateUploadSession } from './uploads/create-upload-session.js';

/**
 * Files of people: downloads, and uploads for messages and forms of bots
 * (docs/files.md#files-from-people).
 */
@Controller('api/v1/client/files')
@ClientApi()
@RequiresScope('files:write')
@HasOwnRate()
@ApiTags('person: files')
export class FilesClientController {
  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
    private readonly settings: StorageSettings,
    private readonly rates: PersonRates,
    private readonly createSession: CreateUploadSession,
    private readonly confirmFile: ConfirmFile,
  ) {}

  /**
   * Creates a file and a link for its bytes, which must be sent with the given method and headers
   * within 15 minutes. A file that is not attached to a message is deleted after 24 hours.
   */
  @Post('upload_sessions')
  @ApiOperation({
    operationId: 'createUploadSessionAsPerson',
    summary: 'Creates a file of the caller and an upload link for its bytes',
  })
  @HttpCode(200)
  @Answers(UploadSessionAnswer)
  @documentErrors(400, 403, 404, 409, 413, 429, 503)
  async createUploadSession(
    @Caller() user: UserPrincipal,
    @Body() body: CreateUploadSessionDto,
  ): Promise<UploadSessionAnswer> {
    const upload = newUpload(body, this.settings.fileMaxBytes);
    return uploadSessionAnswer(await this.rates.charged(user, () => this.createSession.run(user, upload)));
  }

  /**
   * Marks an uploaded file as ready. Bytes that differ from the declared size make it unusable.
   * Confirming again succeeds.
   */
  @Post(':file_id/confirm')
  @ApiOperation({
    operationId: 'confirmFileAsPerson',
    summary: 'Confirms a file that the caller has uploaded, which makes it ready',
  })
  @HttpCode(200)
  @Answers(ConfirmedFileAnswer)
  @documentErrors(400, 404, 413, 429, 503)
  async confirm(
    @Caller() user: UserPrincipal,
    @UuidParam('file_id', fileNotFound) fileId: string,
    @Body() { conversation_id: conversationId }: PersonsFileDto,
  ): Promise<ConfirmedFileAnswer> {
    const named = { fileId, conversationId: conversationId || undefined };
    await this.rates.charged(user, () => this.confirmFile.run(user, named));
    return { ok: true, file: { file_id: fileId, status: 'ready' } };
  }

  /**
   * Returns a link to a file of a message, valid for 5 minutes. Allowed for members of the
   * conversation.
   */
  @Get(':file_id/download_url')
  @RequiresScope('files:read')
  @ApiOperation({
    operationId: 'getFileDownloadUrlAsPerson',
    summary: 'Gets a download link to a file of a message, as a member of its conversation',
  })
  @Answers(DownloadUrlAnswer)
  @documentErrors(404, 503)
  async downloadUrl(
    @Caller() { spaceId, userId }: UserPrincipal,
    @UuidParam('file_id', fileNotFound) fileId: string,
  ): Promise<DownloadUrlAnswer> {
    const file = await findAttachedFile(this.db, spaceId, fileId);
    const conversation =
      file?.conversationId != null && (await findConversation(this.db, spaceId, file.conversationId));
    if (!file || !conversation) throw fileNotFound();
    if (!(await chatAccess.isMember(this.db, spaceId, conversation.channelId, userId)))
      throw chatErrors.notMember();
    return downloadUrlAnswer(await downloadUrl(this.storage, file));
  }
}
