import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { overlapOf, RotateSecretDto } from '@tieline/signing';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { AppAnswer, AppsPage, appView, CreatedAppAnswer, RotatedClientSecretAnswer } from './app.view.js';
import { findApp, listApps } from './apps.queries.js';
import { CreateApp } from './create-app.js';
import { DeleteApp } from './delete-app.js';
import { CreateAppDto, UpdateAppDto } from './dto/app-settings.dto.js';
import { rotateClientSecret } from './rotate-client-secret.js';
import { UpdateApp } from './update-app.js';

/** The apps that belong to the caller's space (docs/apps.md). */
@Controller('api/v1/admin/apps')
@AdminApi()
@ApiTags('admin: apps')
export class AppsAdminController {
  constructor(
    private readonly db: Db,
    private readonly createApp: CreateApp,
    private readonly updateApp: UpdateApp,
    private readonly deleteApp: DeleteApp,
  ) {}

  /** Creates an app. The response (201) is the only one that contains its secrets. */
  @Post()
  @ApiOperation({
    operationId: 'createAppAsAdmin',
    summary: 'Creates an app; the response shows its secrets once',
  })
  @Answers(CreatedAppAnswer, { status: 201 })
  @documentErrors(400, 409)
  async create(@Acting() admin: ActingAdmin, @Body() body: CreateAppDto): Promise<CreatedAppAnswer> {
    const { app, clientSecret, signingSecret } = await this.createApp.run(admin, CreateAppDto.valuesOf(body));
    return {
      ok: true,
      app: appView(app),
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      signing_secret: signingSecret,
    };
  }

  /** Lists the apps of the space that are not deleted, newest first. */
  @Get()
  @ApiOperation({ operationId: 'listAppsAsAdmin', summary: 'Lists the apps of the space, newest first' })
  @Answers(AppsPage)
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() page: PageQuery): Promise<AppsPage> {
    const { rows, nextCursor } = await listApps(this.db, caller.spaceId, page);
    return { ok: true, apps: rows.map(appView), next_cursor: nextCursor };
  }

  /** Returns an app. 404 if it is deleted. */
  @Get(':id')
  @ApiOperation({ operationId: 'getAppAsAdmin', summary: 'Gets an app' })
  @Answers(AppAnswer)
  @documentErrors(404)
  async get(@Caller() caller: AdminPrincipal, @UuidParam('id') id: string): Promise<AppAnswer> {
    return { ok: true, app: appView(await findApp(this.db, caller.spaceId, id)) };
  }

  /** Changes an app. Installations keep the scopes that were approved for them. */
  @Patch(':id')
  @ApiOperation({ operationId: 'updateAppAsAdmin', summary: 'Changes an app' })
  @Answers(AppAnswer)
  @documentErrors(400, 404)
  async update(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: UpdateAppDto,
  ): Promise<AppAnswer> {
    return { ok: true, app: appView(await this.updateApp.run(admin, id, UpdateAppDto.valuesOf(body))) };
  }

  /** Deletes an app and uninstalls it everywhere: its bots are deactivated, its tokens revoked. */
  @Delete(':id')
  @ApiOperation({ operationId: 'deleteAppAsAdmin', summary: 'Deletes an app and uninstalls it everywhere' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() admin: ActingAdmin, @UuidParam('id') id: string): Promise<OkAnswer> {
    await this.deleteApp.run(admin, id);
    return { ok: true };
  }

  /**
   * Replaces the client secret. The response is the only one that contains it. The previous one
   * stays valid for `overlap_seconds`.
   */
  @Post(':id/rotate_client_secret')
  @ApiOperation({
    operationId: 'rotateClientSecretAsAdmin',
    summary: 'Replaces the client secret of an app; the response shows the new one once',
  })
  @HttpCode(200)
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(RotatedClientSecretAnswer)
  @documentErrors(400, 404, 409)
  async rotateClientSecret(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: object | undefined,
  ): Promise<RotatedClientSecretAnswer> {
    const rotated = await rotateClientSecret(this.db, admin, id, overlapOf(body));
    return {
      ok: true,
      client_secret: rotated.clientSecret,
      ...(rotated.previousExpiresAt && {
        previous_client_secret_expires_at: rotated.previousExpiresAt.toISOString(),
      }),
    };
  }
}
