import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import {
  AdminApi,
  Caller,
  documentAnswer,
  documentErrors,
  PageQuery,
  RemoteAddress,
  UuidParam,
} from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { SecretBox } from '@tieline/platform/signing';
import { byUser } from '@tieline/spaces';
import { createIncomingWebhook } from './create-incoming-webhook.js';
import { deleteIncomingWebhook } from './delete-incoming-webhook.js';
import {
  CreateIncomingWebhookDto,
  givenIncomingSettings,
  newIncomingSettings,
  UpdateIncomingWebhookDto,
} from './dto/incoming-webhook.dto.js';
import { RequestsQuery } from '../log/dto/requests-query.dto.js';
import { REQUEST_EXAMPLE, requestView } from '../log/incoming-request.view.js';
import { listRequests } from '../log/incoming-requests.queries.js';
import { INCOMING_WEBHOOK_EXAMPLE, incomingUrl, incomingWebhookView } from './incoming-webhook.view.js';
import { findIncomingWebhook, listIncomingWebhooks } from './incoming-webhooks.queries.js';
import { regenerateIncomingToken } from './regenerate-incoming-token.js';
import { RequestLog } from '../log/request-log.js';
import { rotateIncomingSecret } from './rotate-incoming-secret.js';
import { updateIncomingWebhook } from './update-incoming-webhook.js';

const TOKEN_EXAMPLE = 'u2Jq0yC0r0nYdZc1mO3w0lqk9bq1m7yX4v5s6t7u8v9';
const SHOWN_ONCE = { token: TOKEN_EXAMPLE, url: incomingUrl('https://chat.example', TOKEN_EXAMPLE) };
const SECRET_EXAMPLE = 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=';

/** Incoming webhooks of the admin's space (decisions, section 7). Tokens and secrets appear once, where they are made. */
@Controller('api/v1/admin/incoming_webhooks')
@AdminApi()
@ApiTags('admin: incoming webhooks')
export class IncomingWebhooksAdminController {
  private readonly stores: { db: Db; box: SecretBox };

  constructor(
    private readonly db: Db,
    box: SecretBox,
    private readonly settings: PlatformSettings,
    private readonly log: RequestLog,
  ) {
    this.stores = { db, box };
  }

  /** Makes an incoming webhook. Token, address and signing secret are shown here and never again. */
  @Post()
  @ApiOperation({ summary: 'Makes an incoming webhook' })
  @documentAnswer(
    { ok: true, webhook: INCOMING_WEBHOOK_EXAMPLE, ...SHOWN_ONCE, signing_secret: SECRET_EXAMPLE },
    201,
  )
  @documentErrors(400)
  async create(
    @Caller() caller: AdminPrincipal,
    @Body() body: CreateIncomingWebhookDto,
    @RemoteAddress() ip: string,
  ) {
    const { webhook, token, signingSecret } = await createIncomingWebhook(
      this.stores,
      caller.spaceId,
      newIncomingSettings(body),
      byUser(caller, ip),
    );
    return {
      ok: true,
      webhook: incomingWebhookView(webhook),
      ...this.shownOnce(token),
      signing_secret: signingSecret,
    };
  }

  /** The space's incoming webhooks, newest first, by pages. */
  @Get()
  @ApiOperation({ summary: "The space's incoming webhooks, newest first, by pages" })
  @documentAnswer({ ok: true, webhooks: [INCOMING_WEBHOOK_EXAMPLE], next_cursor: '' })
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() page: PageQuery) {
    const { rows, nextCursor } = await listIncomingWebhooks(this.db, caller.spaceId, page);
    return { ok: true, webhooks: rows.map(incomingWebhookView), next_cursor: nextCursor };
  }

  /** One incoming webhook. */
  @Get(':id')
  @ApiOperation({ summary: 'One incoming webhook' })
  @documentAnswer({ ok: true, webhook: INCOMING_WEBHOOK_EXAMPLE })
  @documentErrors(404)
  async one(@Caller() caller: AdminPrincipal, @UuidParam('id') id: string) {
    return { ok: true, webhook: incomingWebhookView(await findIncomingWebhook(this.db, caller.spaceId, id)) };
  }

  /** Changes what the body names. Made active again, it starts with no failures to its account. */
  @Patch(':id')
  @ApiOperation({ summary: 'Changes what the body names' })
  @documentAnswer({ ok: true, webhook: INCOMING_WEBHOOK_EXAMPLE })
  @documentErrors(400, 404)
  async update(
    @Caller() caller: AdminPrincipal,
    @UuidParam('id') id: string,
    @Body() body: UpdateIncomingWebhookDto,
    @RemoteAddress() ip: string,
  ) {
    const webhook = await updateIncomingWebhook(
      this.db,
      caller.spaceId,
      id,
      givenIncomingSettings(body),
      byUser(caller, ip),
    );
    return { ok: true, webhook: incomingWebhookView(webhook) };
  }

  /** Deletes an incoming webhook: its address is unknown from then on, its messages stay. */
  @Delete(':id')
  @ApiOperation({ summary: 'Deletes an incoming webhook' })
  @documentAnswer({ ok: true })
  @documentErrors(404)
  async remove(@Caller() caller: AdminPrincipal, @UuidParam('id') id: string, @RemoteAddress() ip: string) {
    await deleteIncomingWebhook(this.db, caller.spaceId, id, byUser(caller, ip));
    return { ok: true };
  }

  /** Gives the webhook a new token, shown here and never again; the old address is 401 at once. */
  @Post(':id/regenerate_token')
  @ApiOperation({ summary: 'Gives the webhook a new token and address, shown here and never again' })
  @HttpCode(200)
  @documentAnswer({ ok: true, ...SHOWN_ONCE })
  @documentErrors(404)
  async regenerateToken(
    @Caller() caller: AdminPrincipal,
    @UuidParam('id') id: string,
    @RemoteAddress() ip: string,
  ) {
    return {
      ok: true,
      ...this.shownOnce(await regenerateIncomingToken(this.db, caller.spaceId, id, byUser(caller, ip))),
    };
  }

  /** Gives the webhook a new signing secret, shown here and never again; signatures of the old one are 401 at once. */
  @Post(':id/rotate_secret')
  @ApiOperation({ summary: 'Gives the webhook a new signing secret, shown here and never again' })
  @HttpCode(200)
  @documentAnswer({ ok: true, signing_secret: SECRET_EXAMPLE })
  @documentErrors(404)
  async rotateSecret(
    @Caller() caller: AdminPrincipal,
    @UuidParam('id') id: string,
    @RemoteAddress() ip: string,
  ) {
    return {
      ok: true,
      signing_secret: await rotateIncomingSecret(this.stores, caller.spaceId, id, byUser(caller, ip)),
    };
  }

  /** The webhook's last 100 requests, newest first, with the reason of every refusal: the public error tells nobody. */
  @Get(':id/requests')
  @ApiOperation({
    summary: "The webhook's last 100 requests, newest first, with the reason of every refusal",
  })
  @documentAnswer({ ok: true, requests: [REQUEST_EXAMPLE], next_cursor: '' })
  @documentErrors(400, 404)
  async requests(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') id: string,
    @Query() { limit, cursor }: RequestsQuery,
  ) {
    await findIncomingWebhook(this.db, spaceId, id);
    await this.log.flush();
    const { rows, nextCursor } = await listRequests(this.db, { spaceId, webhookId: id, limit, cursor });
    return { ok: true, requests: rows.map(requestView), next_cursor: nextCursor };
  }

  private shownOnce(token: string) {
    return { token, url: incomingUrl(this.settings.publicUrl, token) };
  }
}
