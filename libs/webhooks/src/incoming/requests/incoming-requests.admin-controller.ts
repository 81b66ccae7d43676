import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, documentErrors, UuidParam } from '@tieline/platform/http';
import { Acting, recordReading } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { findIncomingWebhook } from '../admin/incoming-webhooks.queries.js';
import { RequestsQuery } from './dto/requests-query.dto.js';
import { RequestsPage, requestView } from './incoming-request.view.js';
import { listRequests } from './incoming-requests.queries.js';
import { RequestLog } from './request-log.js';

/** Request log of an incoming webhook. */
@Controller('api/v1/admin/incoming_webhooks/:id/requests')
@AdminApi()
@ApiTags('admin: incoming webhooks')
export class IncomingRequestsAdminController {
  constructor(
    private readonly db: Db,
    private readonly log: RequestLog,
  ) {}

  /**
   * Lists the webhook's last 100 requests, newest first. Shows the reason of every rejection, which
   * the public error hides.
   */
  @Get()
  @ApiOperation({
    operationId: 'listIncomingRequestsAsAdmin',
    summary: "Lists the webhook's last 100 requests, with the reason for every rejection",
  })
  @Answers(RequestsPage)
  @documentErrors(400, 404)
  async list(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') id: string,
    @Query() { limit, cursor }: RequestsQuery,
  ): Promise<RequestsPage> {
    await findIncomingWebhook(this.db, spaceId, id);
    const reading = { action: 'incoming_webhook.requests_read', changes: {} };
    const subject = { spaceId, objectType: 'incoming_webhook', objectId: id };
    await this.log.flush();
    const { rows, nextCursor } = await listRequests(this.db, { spaceId, webhookId: id, limit, cursor });
    await recordReading(this.db, { ...origin, ...subject, ...reading });
    return { ok: true, requests: rows.map(requestView), next_cursor: nextCursor };
  }
}
