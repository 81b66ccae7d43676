import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { EgressPolicy } from '@tieline/egress';
import {
  Caller,
  ClientApi,
  documentAnswer,
  documentErrors,
  PageQuery,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { SecretBox } from '@tieline/platform/signing';
import { NOTIFICATION_EXAMPLE, notificationView } from './notification.view.js';
import { listNotifications } from './notifications.queries.js';
import { PushSubscriptionDto } from './push-subscription.dto.js';
import { addPushSubscription, removePushSubscription } from './push-subscriptions.js';
import { vapidKeys } from './vapid-keys.js';

/** What people are told, and on which devices (decisions, section 8). */
@Controller('api/v1/client')
@ClientApi()
@ApiTags('client: notifications')
export class NotificationsClientController {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly egress: EgressPolicy,
  ) {}

  /** The person's notifications of the last 30 days, newest first, by pages; one per message. */
  @Get('notifications')
  @ApiOperation({ summary: "The person's notifications, newest first, by pages" })
  @documentAnswer({ ok: true, notifications: [NOTIFICATION_EXAMPLE], next_cursor: '' })
  @documentErrors(400)
  async list(@Caller() caller: UserPrincipal, @Query() page: PageQuery) {
    const { rows, nextCursor } = await listNotifications(this.db, caller, page);
    return { ok: true, notifications: rows.map(notificationView), next_cursor: nextCursor };
  }

  /** What a browser needs to subscribe: the `applicationServerKey`. */
  @Get('push_key')
  @ApiOperation({ summary: 'The key that browsers subscribe with' })
  @documentAnswer({
    ok: true,
    public_key: 'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U',
  })
  async key() {
    return { ok: true, public_key: (await vapidKeys(this.db, this.box)).publicKey };
  }

  /** Remembers a device for pushes: 20 per person; the same endpoint again keeps its id. */
  @Post('push_subscriptions')
  @ApiOperation({ summary: 'Remembers a device for pushes' })
  @HttpCode(200)
  @documentAnswer({ ok: true, id: NOTIFICATION_EXAMPLE.id })
  @documentErrors(400)
  async subscribe(@Caller() caller: UserPrincipal, @Body() { endpoint, keys }: PushSubscriptionDto) {
    const trimmed = { p256dh: keys.p256dh.replaceAll('=', ''), auth: keys.auth.replaceAll('=', '') };
    return {
      ok: true,
      id: await addPushSubscription(this.db, this.egress, caller, { endpoint, ...trimmed }),
    };
  }

  /** Forgets a device. */
  @Delete('push_subscriptions/:id')
  @ApiOperation({ summary: 'Forgets a device' })
  @documentAnswer({ ok: true })
  @documentErrors(404)
  async unsubscribe(@Caller() caller: UserPrincipal, @UuidParam('id') id: string) {
    await removePushSubscription(this.db, caller, id);
    return { ok: true };
  }
}
