import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { findConversation, isMember } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { FileStorage } from '@tieline/storage';
import { downloadUrl } from './downloads/download-url.js';
import { DownloadUrlAnswer, downloadUrlAnswer } from './file.view.js';
import { fileNotFound, notMember } from './files.errors.js';
import { findAttachedFile } from './files.queries.js';

/** Files as people get them (decisions, section 6). */
@Controller('api/v1/client/files')
@ClientApi()
@ApiTags('client: files')
export class FilesClientController {
  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
  ) {}

  /** A link to a file that a message shows, good for 5 minutes; for members of the conversation. */
  @Get(':file_id/download_url')
  @ApiOperation({ summary: 'Gets a download link to a file of a message, as a member of its conversation' })
  @Answers(DownloadUrlAnswer)
  @documentErrors(404, 503)
  async downloadUrl(
    @Caller() { spaceId, userId }: UserPrincipal,
    @UuidParam('file_id', fileNotFound) fileId: string,
  ): Promise<DownloadUrlAnswer> {
    const file = await findAttachedFile(this.db, spaceId, fileId);
    const conversation = file && (await findConversation(this.db, spaceId, file.conversationId));
    if (!conversation) throw fileNotFound();
    if (!(await isMember(this.db, spaceId, conversation.channelId, userId))) throw notMember();
    return downloadUrlAnswer(await downloadUrl(this.storage, file));
  }
}
