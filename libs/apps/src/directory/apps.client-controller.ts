import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, PageQuery, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { listDirectory } from './directory.queries.js';
import { DirectoryPage, directoryAppView } from './directory.view.js';

/** The directory of apps (docs/apps.md#directory). */
@Controller('api/v1/client/apps')
@ClientApi()
@RequiresScope('all')
@ApiTags('person: apps')
export class AppsClientController {
  constructor(private readonly db: Db) {}

  /** Lists the apps that the caller's space can install: its own and listed ones, newest first. */
  @Get()
  @ApiOperation({
    operationId: 'listAppsAsPerson',
    summary: 'Lists the apps that the space can install, newest first',
  })
  @Answers(DirectoryPage)
  @documentErrors(400)
  async list(@Caller() person: UserPrincipal, @Query() page: PageQuery): Promise<DirectoryPage> {
    const { rows, nextCursor } = await listDirectory(this.db, person, page);
    return { ok: true, apps: rows.map(directoryAppView), next_cursor: nextCursor };
  }
}
