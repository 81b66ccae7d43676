import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { InstallationsPage, InstallationView } from './installation.view.js';
import { listInstallations } from './installations.queries.js';
import { UninstallApp } from './uninstall-app.js';

/** The apps that are installed in the caller's space (docs/apps.md#installations). */
@Controller('api/v1/admin/installations')
@AdminApi()
@ApiTags('admin: apps')
export class InstallationsAdminController {
  constructor(
    private readonly db: Db,
    private readonly uninstallApp: UninstallApp,
  ) {}

  /** Lists the installed apps, newest first. */
  @Get()
  @ApiOperation({
    operationId: 'listInstallationsAsAdmin',
    summary: 'Lists the apps that are installed in the space, newest first',
  })
  @Answers(InstallationsPage)
  @documentErrors(400)
  async list(@Caller() { spaceId }: AdminPrincipal, @Query() page: PageQuery): Promise<InstallationsPage> {
    const { rows, nextCursor } = await listInstallations(this.db, spaceId, page);
    return { ok: true, installations: rows.map(InstallationView.of), next_cursor: nextCursor };
  }

  /**
   * Uninstalls an app: its bot is deactivated, the tokens of the bot and of people are revoked, and
   * its commands and buttons stop.
   */
  @Delete(':id')
  @ApiOperation({ operationId: 'deleteInstallationAsAdmin', summary: 'Uninstalls an app' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() { spaceId, origin }: ActingAdmin, @UuidParam('id') id: string): Promise<OkAnswer> {
    await this.uninstallApp.run(spaceId, id, origin);
    return { ok: true };
  }
}
