import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, PageQuery } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { NotificationsPage, notificationView } from './notification.view.js';
import { listNotifications } from './notifications.queries.js';

/** What people are told (decisions, section 8). */
@Controller('api/v1/client/notifications')
@ClientApi()
@ApiTags('person: notifications')
export class NotificationsClientController {
  constructor(private readonly db: Db) {}

  /** The person's notifications of the last 30 days, newest first, by pages; one per message. */
  @Get()
  @ApiOperation({
    operationId: 'listNotificationsAsPerson',
    summary: "Lists the caller's notifications, newest first, by pages",
  })
  @Answers(NotificationsPage)
  @documentErrors(400)
  async list(@Caller() caller: UserPrincipal, @Query() page: PageQuery): Promise<NotificationsPage> {
    const { rows, nextCursor } = await listNotifications(this.db, caller, page);
    return { ok: true, notifications: rows.map(notificationView), next_cursor: nextCursor };
  }
}
