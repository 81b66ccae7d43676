import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, PageQuery, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { NotificationsPage, notificationView } from './notification.view.js';
import { listNotifications } from './notifications.queries.js';

/** Notifications of people (docs/notifications.md#read-notifications). */
@Controller('api/v1/client/notifications')
@ClientApi()
@RequiresScope('events')
@ApiTags('person: notifications')
export class NotificationsClientController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the caller's notifications of the last 30 days, newest first. There is one per message.
   */
  @Get()
  @ApiOperation({
    operationId: 'listNotificationsAsPerson',
    summary: "Lists the caller's notifications, newest first",
  })
  @Answers(NotificationsPage)
  @documentErrors(400)
  async list(@Caller() caller: UserPrincipal, @Query() page: PageQuery): Promise<NotificationsPage> {
    const { rows, nextCursor } = await listNotifications(this.db, caller, page);
    return { ok: true, notifications: rows.map(notificationView), next_cursor: nextCursor };
  }
}
