import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db, runInTx } from '@tieline/platform/database';
import { AdminApi, Answers, documentErrors, UuidParam } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { findSubscription } from '../subscriptions/outgoing-webhooks.queries.js';
import { recordSubscriptionChange } from '../subscriptions/subscription-change.js';
import { PortalLinks } from './portal-links.js';
import { PortalLinkAnswer, portalLinkAnswer } from './portal.view.js';

/** Portal links for the people who run a subscription's receiver. */
@Controller('api/v1/admin/outgoing_webhooks/:id/portal_link')
@AdminApi()
@ApiTags('admin: outgoing webhooks')
export class PortalLinkAdminController {
  constructor(
    private readonly db: Db,
    private readonly links: PortalLinks,
  ) {}

  /**
   * Creates a link that gives access to this subscription's log, redelivery and test for an hour,
   * without an account.
   */
  @Post()
  @ApiOperation({
    operationId: 'createPortalLinkAsAdmin',
    summary: "Creates a link to a subscription's log for its receiver's author",
  })
  @HttpCode(200)
  @Answers(PortalLinkAnswer)
  @documentErrors(404, 409)
  async create(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') id: string,
  ): Promise<PortalLinkAnswer> {
    const subscription = await findSubscription(this.db, spaceId, id);
    const link = await this.links.create(subscription);
    await runInTx(
      this.db,
      (tx) => recordSubscriptionChange(tx, subscription, 'outgoing_webhook.portal_link_made', origin),
      { spaceId, place: id },
    );
    return portalLinkAnswer(link);
  }
}
