import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublicEgressPolicy } from '@tieline/egress';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  OkAnswer,
  RemoteAddress,
  RequiresScope,
  SessionIfAny,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { PushSubscriptionDto } from './push-subscription.dto.js';
import { addPushSubscription, listPushSubscriptions, removePushSubscription } from './push-subscriptions.js';
import { PushSubscriptionAnswer, PushSubscriptionsAnswer } from './push.view.js';

/** The devices that people receive push notifications on (docs/notifications.md#web-push). */
@Controller('api/v1/client/push_subscriptions')
@ClientApi()
@RequiresScope('all')
@ApiTags('person: notifications')
export class PushSubscriptionsClientController {
  constructor(
    private readonly db: Db,
    private readonly egress: PublicEgressPolicy,
  ) {}

  /**
   * Registers a device for push notifications, at most 20 per person. Registering the same endpoint
   * again keeps its id. A device registered from a browser session is removed when the session
   * ends.
   */
  @Post()
  @ApiOperation({
    operationId: 'createPushSubscriptionAsPerson',
    summary: 'Adds a device for push notifications',
  })
  @HttpCode(200)
  @Answers(PushSubscriptionAnswer)
  @documentErrors(400)
  async create(
    @Caller() caller: UserPrincipal,
    @Body() { endpoint, keys }: PushSubscriptionDto,
    @SessionIfAny() session: string | undefined,
    @RemoteAddress() ip: string,
  ): Promise<PushSubscriptionAnswer> {
    const trimmed = { p256dh: keys.p256dh.replaceAll('=', ''), auth: keys.auth.replaceAll('=', '') };
    const device = { endpoint, ...trimmed, session };
    return { ok: true, id: await addPushSubscription(this.db, this.egress, { ...caller, ip }, device) };
  }

  /** Lists the caller's devices, newest first. */
  @Get()
  @ApiOperation({ operationId: 'listPushSubscriptionsAsPerson', summary: 'Lists devices of the caller' })
  @Answers(PushSubscriptionsAnswer)
  async list(@Caller() caller: UserPrincipal): Promise<PushSubscriptionsAnswer> {
    const devices = await listPushSubscriptions(this.db, caller);
    return {
      ok: true,
      push_subscriptions: devices.map(({ id, endpoint, createdAt }) => ({
        ...{ id, endpoint },
        created_at: createdAt.toISOString(),
      })),
    };
  }

  /** Removes a device. */
  @Delete(':id')
  @ApiOperation({ operationId: 'deletePushSubscriptionAsPerson', summary: 'Removes a device' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') id: string,
    @RemoteAddress() ip: string,
  ): Promise<OkAnswer> {
    await removePushSubscription(this.db, { ...caller, ip }, id);
    return { ok: true };
  }
}
