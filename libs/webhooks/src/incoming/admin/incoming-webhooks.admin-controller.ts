import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformSettings } from '@tieline/platform/config';
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
import { overlapOf, RotateSecretDto, rotatedSecretView } from '@tieline/signing';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { RotateWebhookSecret } from '../../rotate-webhook-secret.js';
import { CreateIncomingWebhook } from './create-incoming-webhook.js';
import { deleteIncomingWebhook } from './delete-incoming-webhook.js';
import { CreateIncomingWebhookDto, UpdateIncomingWebhookDto } from './dto/incoming-webhook.dto.js';
import {
  CreatedIncomingWebhookAnswer,
  IncomingSecretAnswer,
  IncomingTokenAnswer,
  incomingUrl,
  IncomingWebhookAnswer,
  IncomingWebhooksPage,
  incomingWebhookView,
} from './incoming-webhook.view.js';
import { findIncomingWebhook, listIncomingWebhooks } from './incoming-webhooks.queries.js';
import { regenerateIncomingToken } from './regenerate-incoming-token.js';
import { UpdateIncomingWebhook } from './update-incoming-webhook.js';

/**
 * Incoming webhooks of the admin's space. Tokens and secrets are returned only by the request that
 * creates them.
 */
@Controller('api/v1/admin/incoming_webhooks')
@AdminApi()
@ApiTags('admin: incoming webhooks')
export class IncomingWebhooksAdminController {
  constructor(
    private readonly db: Db,
    private readonly settings: PlatformSettings,
    private readonly createWebhook: CreateIncomingWebhook,
    private readonly updateWebhook: UpdateIncomingWebhook,
    private readonly rotateWebhookSecret: RotateWebhookSecret,
  ) {}

  /**
   * Creates an incoming webhook. This response is the only one with its token, address and signing
   * secret.
   */
  @Post()
  @ApiOperation({
    operationId: 'createIncomingWebhookAsAdmin',
    summary: 'Creates an incoming webhook; the response shows its token and signing secret once',
  })
  @Answers(CreatedIncomingWebhookAnswer, { status: 201 })
  @documentErrors(400, 409)
  async create(
    @Acting() admin: ActingAdmin,
    @Body() body: CreateIncomingWebhookDto,
  ): Promise<CreatedIncomingWebhookAnswer> {
    const { webhook, token, signingSecret } = await this.createWebhook.run(
      admin,
      CreateIncomingWebhookDto.valuesOf(body),
    );
    return {
      ok: true,
      webhook: incomingWebhookView(webhook),
      ...this.shownOnce(token),
      signing_secret: signingSecret,
    };
  }

  @Get()
  @ApiOperation({
    operationId: 'listIncomingWebhooksAsAdmin',
    summary: "Lists the space's incoming webhooks, newest first",
  })
  @Answers(IncomingWebhooksPage)
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() page: PageQuery): Promise<IncomingWebhooksPage> {
    const { rows, nextCursor } = await listIncomingWebhooks(this.db, caller.spaceId, page);
    return { ok: true, webhooks: rows.map(incomingWebhookView), next_cursor: nextCursor };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getIncomingWebhookAsAdmin', summary: 'Gets an incoming webhook' })
  @Answers(IncomingWebhookAnswer)
  @documentErrors(404)
  async get(@Caller() caller: AdminPrincipal, @UuidParam('id') id: string): Promise<IncomingWebhookAnswer> {
    return { ok: true, webhook: incomingWebhookView(await findIncomingWebhook(this.db, caller.spaceId, id)) };
  }

  /** Updates the fields in the body. Enabling a disabled webhook resets its failure count. */
  @Patch(':id')
  @ApiOperation({
    operationId: 'updateIncomingWebhookAsAdmin',
    summary: 'Updates the given fields of an incoming webhook',
  })
  @Answers(IncomingWebhookAnswer)
  @documentErrors(400, 404)
  async update(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: UpdateIncomingWebhookDto,
  ): Promise<IncomingWebhookAnswer> {
    const webhook = await this.updateWebhook.run(admin, id, UpdateIncomingWebhookDto.valuesOf(body));
    return { ok: true, webhook: incomingWebhookView(webhook) };
  }

  /** Deletes an incoming webhook. Its address stops working, its messages stay. */
  @Delete(':id')
  @ApiOperation({ operationId: 'deleteIncomingWebhookAsAdmin', summary: 'Deletes an incoming webhook' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() admin: ActingAdmin, @UuidParam('id') id: string): Promise<OkAnswer> {
    await deleteIncomingWebhook(this.db, admin, id);
    return { ok: true };
  }

  /**
   * Replaces the token. This response is the only one that shows it. The old address answers 401
   * immediately.
   */
  @Post(':id/regenerate_token')
  @ApiOperation({
    operationId: 'regenerateIncomingWebhookTokenAsAdmin',
    summary: 'Replaces the token and address of an incoming webhook; the response shows them once',
  })
  @HttpCode(200)
  @Answers(IncomingTokenAnswer)
  @documentErrors(404)
  async regenerateToken(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
  ): Promise<IncomingTokenAnswer> {
    return { ok: true, ...this.shownOnce(await regenerateIncomingToken(this.db, admin, id)) };
  }

  /**
   * Replaces the signing secret. This response is the only one that shows it. The old secret stops
   * working immediately, or after `overlap_seconds`.
   */
  @Post(':id/rotate_secret')
  @ApiOperation({
    operationId: 'rotateIncomingWebhookSecretAsAdmin',
    summary: 'Replaces the signing secret of an incoming webhook; the response shows it once',
  })
  @HttpCode(200)
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(IncomingSecretAnswer)
  @documentErrors(400, 404)
  async rotateSecret(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: object | undefined,
  ): Promise<IncomingSecretAnswer> {
    const rotated = await this.rotateWebhookSecret.run(admin, 'incoming_webhook', id, overlapOf(body));
    return { ok: true, ...rotatedSecretView(rotated) };
  }

  private shownOnce(token: string): { token: string; url: string } {
    return { token, url: incomingUrl(this.settings.publicUrl, token) };
  }
}
