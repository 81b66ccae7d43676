import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates, chatAccess } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  ErrorShape,
  HasOwnRate,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { FileStorage, StorageSettings } from '@tieline/storage';
import { ConfirmFile } from './uploads/confirm-file.js';
import { CreateUploadSession } from './uploads/create-upload-session.js';
import { downloadUrl } from './downloads/download-url.js';
import { CreateUploadSessionDto, newUpload } from './dto/create-upload-session.dto.js';
import { FileConversationDto } from './dto/file-conversation.dto.js';
import {
  ConfirmedFileAnswer,
  DownloadUrlAnswer,
  downloadUrlAnswer,
  UploadSessionAnswer,
  uploadSessionAnswer,
} from './file.view.js';
import { documentFileErrors } from './files.docs.js';
import type { StoredFile } from './file.entity.js';
import { fileNotFound, fileNotReady } from './files.errors.js';
import { findAttachedFileOfPerson, findOwnFile } from './files.queries.js';
import { findGrantedFile } from './grants/file-grants.js';

/**
 * Files of bots. Every response other than 2xx is `{"error": text}`
 * (docs/files.md#upload-and-send-a-file).
 */
@Controller('api/v1/bot/files')
@BotApi()
@RequiresScope('files:write')
@HasOwnRate()
@ErrorShape('plain')
@ApiTags('bot: files')
export class FilesController {
  constructor(
    private readonly db: Db,
    private readonly settings: StorageSettings,
    private readonly storage: FileStorage,
    private readonly rates: BotRates,
    private readonly createSession: CreateUploadSession,
    private readonly confirmFile: ConfirmFile,
  ) {}

  /**
   * Creates a file and a link for its bytes, which must be sent with the given method and headers
   * within 15 minutes.
   */
  @Post('upload_sessions')
  @ApiOperation({
    operationId: 'createUploadSession',
    summary: 'Creates a file and an upload link for its bytes',
  })
  @HttpCode(200)
  @Answers(UploadSessionAnswer)
  @documentFileErrors(400, 401, 403, 409, 413, 429, 503)
  async createUploadSession(
    @Caller() bot: BotPrincipal,
    @Body() body: CreateUploadSessionDto,
  ): Promise<UploadSessionAnswer> {
    const upload = newUpload(body, this.settings.fileMaxBytes);
    const create = () => this.createSession.run(bot, upload);
    return uploadSessionAnswer(await this.rates.message(bot, upload.conversationId, create));
  }

  /**
   * Marks an uploaded file as ready. Bytes that differ from the declared size make it unusable.
   * Confirming again succeeds.
   */
  @Post(':file_id/confirm')
  @ApiOperation({ operationId: 'confirmFile', summary: 'Confirms an uploaded file, which makes it ready' })
  @HttpCode(200)
  @Answers(ConfirmedFileAnswer)
  @documentFileErrors(400, 401, 403, 404, 413, 429, 503)
  async confirm(
    @Caller() bot: BotPrincipal,
    @UuidParam('file_id', fileNotFound) fileId: string,
    @Body() { conversation_id: conversationId }: FileConversationDto,
  ): Promise<ConfirmedFileAnswer> {
    const confirm = () => this.confirmFile.run(bot, { fileId, conversationId });
    await this.rates.message(bot, conversationId, confirm);
    return { ok: true, file: { file_id: fileId, status: 'ready' } };
  }

  /**
   * Returns a link to a ready file, valid for 5 minutes: one of the bot's own files, a file it
   * received in a form, or a file that a person sent where the bot is a member.
   */
  @Get(':file_id/download_url')
  @RequiresScope('files:read')
  @ApiOperation({
    operationId: 'getFileDownloadUrl',
    summary: "Gets a download link to one of the bot's files",
  })
  @Answers(DownloadUrlAnswer)
  @documentFileErrors(400, 401, 403, 404, 429, 503)
  async downloadUrl(
    @Caller() bot: BotPrincipal,
    @UuidParam('file_id', fileNotFound) fileId: string,
    @Query() { conversation_id: conversationId }: FileConversationDto,
  ): Promise<DownloadUrlAnswer> {
    const file =
      (await findOwnFile(this.db, bot, fileId, conversationId)) ??
      (await findGrantedFile(this.db, bot, fileId, conversationId)) ??
      (await this.findShown(bot, fileId, conversationId));
    if (!file) throw fileNotFound();
    if (file.status !== 'ready') throw fileNotReady();
    return downloadUrlAnswer(await downloadUrl(this.storage, file));
  }

  /**
   * Returns a file that a person sent in a conversation that the bot is a member of and may read.
   */
  private async findShown(
    bot: BotPrincipal,
    fileId: string,
    conversationId: string,
  ): Promise<StoredFile | undefined> {
    const file = await findAttachedFileOfPerson(this.db, bot.spaceId, fileId, conversationId);
    if (!file) return undefined;
    const access = await chatAccess.reading(this.db, bot, conversationId);
    return access?.mayRead && access.isMember ? file : undefined;
  }
}
