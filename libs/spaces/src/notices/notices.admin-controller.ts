import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  AdminApi,
  Answers,
  Caller,
  documentErrors,
  OkAnswer,
  PageQuery,
  UuidParam,
} from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '../audit-log/acting.js';
import type { ActingAdmin } from '../audit-log/acting.js';
import { dismissNotice } from './dismiss-notice.js';
import { listNotices } from './notices.queries.js';
import { NoticesPage, noticeView } from './notices.view.js';

/** Notices for the admins of a space (docs/monitor.md#alerts). */
@Controller('api/v1/admin/notices')
@AdminApi()
@ApiTags('admin: notices')
export class NoticesAdminController {
  constructor(private readonly db: Db) {}

  /** Lists the open notices, newest first, by pages. */
  @Get()
  @ApiOperation({
    operationId: 'listNoticesAsAdmin',
    summary: 'Lists the open notices, newest first, by pages',
  })
  @Answers(NoticesPage)
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() page: PageQuery): Promise<NoticesPage> {
    const { rows, nextCursor } = await listNotices(this.db, caller.spaceId, page);
    return { ok: true, notices: rows.map(noticeView), next_cursor: nextCursor };
  }

  /** Dismisses a notice for all admins of the space. Repeating it is 200. */
  @Post(':id/dismiss')
  @ApiOperation({
    operationId: 'dismissNoticeAsAdmin',
    summary: 'Dismisses a notice for all admins of the space',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(404)
  async dismiss(@Acting() caller: ActingAdmin, @UuidParam('id') id: string): Promise<OkAnswer> {
    await dismissNotice(this.db, caller, id);
    return { ok: true };
  }
}
