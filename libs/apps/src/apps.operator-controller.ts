import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  documentErrors,
  OperatorApi,
  PageQuery,
  RemoteAddress,
  UuidParam,
} from '@tieline/platform/http';
import { byOperator } from '@tieline/spaces';
import { AppAnswer, AppsPage, appView } from './app.view.js';
import { listAppsToList } from './apps.queries.js';
import { ListedDto } from './dto/listed.dto.js';
import { listApp } from './list-app.js';

/** The directory of apps, for the operator (docs/apps.md#listed-apps). */
@Controller('api/v1/operator/apps')
@OperatorApi()
@ApiTags('operator: apps')
export class AppsOperatorController {
  constructor(private readonly db: Db) {}

  /** Lists the apps of all spaces that want to be listed, newest first. */
  @Get()
  @ApiOperation({
    operationId: 'listAppsAsOperator',
    summary: 'Lists the apps that want to be listed, newest first',
  })
  @Answers(AppsPage)
  @documentErrors(400)
  async list(@Query() page: PageQuery): Promise<AppsPage> {
    const { rows, nextCursor } = await listAppsToList(this.db, page);
    return { ok: true, apps: rows.map(appView), next_cursor: nextCursor };
  }

  /** Lists an app in the directory of every space, or removes it. Installations stay. */
  @Patch(':id')
  @ApiOperation({
    operationId: 'updateAppAsOperator',
    summary: 'Lists an app in the directory of every space, or removes it',
  })
  @Answers(AppAnswer)
  @documentErrors(400, 404)
  async update(
    @UuidParam('id') id: string,
    @Body() { listed }: ListedDto,
    @RemoteAddress() ip: string,
  ): Promise<AppAnswer> {
    return { ok: true, app: appView(await listApp(this.db, id, listed, byOperator(ip))) };
  }
}
