import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { findConversation, isMember } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Caller, ClientApi, documentAnswer, documentErrors, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { FileStorage } from '@tieline/storage';
import { downloadLink } from './downloads/download-url.js';
import { downloadView, FILE_EXAMPLE } from './file.view.js';
import { fileNotFound, notMember } from './files.errors.js';
import { findAttachedFile } from './files.queries.js';

const ANSWER = {
  ok: true,
  file_id: FILE_EXAMPLE.file_id,
  download_url: `https://chat.example/storage/01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41/${FILE_EXAMPLE.file_id}?expires=1795251900&signature=…`,
  expires_at: 1_795_251_900,
  file: { file_id: FILE_EXAMPLE.file_id, status: 'ready' },
};

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
  @ApiOperation({ summary: 'A link to a file of a message, for members of its conversation' })
  @documentAnswer(ANSWER)
  @documentErrors(404, 503)
  async downloadUrl(
    @Caller() { spaceId, userId }: UserPrincipal,
    @UuidParam('file_id', fileNotFound) fileId: string,
  ) {
    const file = await findAttachedFile(this.db, spaceId, fileId);
    const conversation = file && (await findConversation(this.db, spaceId, file.conversationId));
    if (!conversation) throw fileNotFound();
    if (!(await isMember(this.db, spaceId, conversation.channelId, userId))) throw notMember();
    return downloadView(await downloadLink(this.storage, file));
  }
}
