import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { breakerOf, breakersOf, Trials } from '@tieline/delivery';
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
import { overlapOf, RotateSecretDto, rotatedSecretView } from '@tieline/signing';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { RotateWebhookSecret } from '../../rotate-webhook-secret.js';
import { CreateOutgoingWebhook } from './create-outgoing-webhook.js';
import { deleteOutgoingWebhook } from './delete-outgoing-webhook.js';
import { TrialAnswer } from '../deliveries/delivery.view.js';
import { CreateOutgoingWebhookDto, UpdateOutgoingWebhookDto } from './dto/outgoing-webhook.dto.js';
import {
  CreatedSubscriptionAnswer,
  RotatedSubscriptionSecretAnswer,
  SubscriptionAnswer,
  SubscriptionsPage,
  SubscriptionView,
  subscriptionView,
} from './outgoing-webhook.view.js';
import type { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { findSubscription, listSubscriptions } from './outgoing-webhooks.queries.js';
import { SendTestDelivery } from './send-test-delivery.js';
import { UpdateOutgoingWebhook } from './update-outgoing-webhook.js';

/**
 * Outgoing webhook subscriptions of the admin's space. Secrets are returned only by the request
 * that creates them.
 */
@Controller('api/v1/admin/outgoing_webhooks')
@AdminApi()
@ApiTags('admin: outgoing webhooks')
export class OutgoingWebhooksAdminController {
  constructor(
    private readonly db: Db,
    private readonly createWebhook: CreateOutgoingWebhook,
    private readonly updateWebhook: UpdateOutgoingWebhook,
    private readonly rotateWebhookSecret: RotateWebhookSecret,
    private readonly sendTestDelivery: SendTestDelivery,
    private readonly trials: Trials,
  ) {}

  /** Creates a subscription. This response is the only one with its signing secret. */
  @Post()
  @ApiOperation({
    operationId: 'createOutgoingWebhookAsAdmin',
    summary: 'Creates a subscription; the response shows its signing secret once',
  })
  @Answers(CreatedSubscriptionAnswer, { status: 201 })
  @documentErrors(400, 409)
  async create(
    @Acting() admin: ActingAdmin,
    @Body() body: CreateOutgoingWebhookDto,
  ): Promise<CreatedSubscriptionAnswer> {
    const { subscription, signingSecret } = await this.createWebhook.run(
      admin,
      CreateOutgoingWebhookDto.valuesOf(body),
    );
    return { ok: true, subscription: await this.show(subscription), signing_secret: signingSecret };
  }

  @Get()
  @ApiOperation({
    operationId: 'listOutgoingWebhooksAsAdmin',
    summary: "Lists the space's subscriptions, newest first",
  })
  @Answers(SubscriptionsPage)
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() page: PageQuery): Promise<SubscriptionsPage> {
    const { rows, nextCursor } = await listSubscriptions(this.db, caller.spaceId, page);
    const breakers = await breakersOf(
      this.db,
      rows.map((row) => row.id),
    );
    const subscriptions = rows.map((row) => subscriptionView(row, breakers(row.id)));
    return { ok: true, subscriptions, next_cursor: nextCursor };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getOutgoingWebhookAsAdmin', summary: 'Gets a subscription' })
  @Answers(SubscriptionAnswer)
  @documentErrors(404)
  async get(@Caller() caller: AdminPrincipal, @UuidParam('id') id: string): Promise<SubscriptionAnswer> {
    return { ok: true, subscription: await this.show(await findSubscription(this.db, caller.spaceId, id)) };
  }

  /**
   * Updates the fields in the body. Disabling a subscription closes its pending deliveries as dead.
   * Later events are not stored for it.
   */
  @Patch(':id')
  @ApiOperation({
    operationId: 'updateOutgoingWebhookAsAdmin',
    summary: 'Updates the given fields of a subscription',
  })
  @Answers(SubscriptionAnswer)
  @documentErrors(400, 404)
  async update(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: UpdateOutgoingWebhookDto,
  ): Promise<SubscriptionAnswer> {
    const subscription = await this.updateWebhook.run(admin, id, UpdateOutgoingWebhookDto.valuesOf(body));
    return { ok: true, subscription: await this.show(subscription) };
  }

  /** Deletes a subscription. Its pending deliveries are closed as dead. */
  @Delete(':id')
  @ApiOperation({ operationId: 'deleteOutgoingWebhookAsAdmin', summary: 'Deletes a subscription' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() admin: ActingAdmin, @UuidParam('id') id: string): Promise<OkAnswer> {
    await deleteOutgoingWebhook(this.db, admin, id);
    return { ok: true };
  }

  /**
   * Sends a WEBHOOK_TEST event with a single attempt, even to an inactive subscription. Waits for
   * the result, at most DELIVERY_TIMEOUT_MS.
   */
  @Post(':id/test')
  @ApiOperation({
    operationId: 'testOutgoingWebhookAsAdmin',
    summary: 'Sends a WEBHOOK_TEST event once, even to an inactive subscription; returns the result',
  })
  @HttpCode(200)
  @Answers(TrialAnswer)
  @documentErrors(404, 409)
  async test(@Acting() { spaceId, origin }: ActingAdmin, @UuidParam('id') id: string): Promise<TrialAnswer> {
    const startedAt = performance.now();
    const deliveryId = await this.sendTestDelivery.run({ spaceId, id }, { origin });
    const result = await this.trials.result(spaceId, deliveryId, startedAt);
    return { ok: true, delivery_id: deliveryId, result };
  }

  /**
   * Replaces the signing secret. This response is the only one that shows it. The old secret also
   * signs for `overlap_seconds`.
   */
  @Post(':id/rotate_secret')
  @ApiOperation({
    operationId: 'rotateOutgoingWebhookSecretAsAdmin',
    summary: 'Replaces the signing secret of a subscription; the response shows it once',
  })
  @HttpCode(200)
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(RotatedSubscriptionSecretAnswer)
  @documentErrors(400, 404)
  async rotateSecret(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: object | undefined,
  ): Promise<RotatedSubscriptionSecretAnswer> {
    const rotated = await this.rotateWebhookSecret.run(admin, 'outgoing_webhook', id, overlapOf(body));
    return { ok: true, ...rotatedSecretView(rotated) };
  }

  private async show(row: OutgoingWebhook): Promise<SubscriptionView> {
    return subscriptionView(row, await breakerOf(this.db, row.id));
  }
}
