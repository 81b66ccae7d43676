import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, bodyReader, Caller, documentErrors, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { ApproveDto } from '../dto/approve.dto.js';
import { ListAppRequestsQuery } from '../dto/app-requests.query.js';
import { AppRequestAnswer, AppRequestsPage, AppRequestView } from './app-request.view.js';
import { listAppRequests } from './app-requests.queries.js';
import { DecideRequest } from './decide-request.js';

const readApproval = bodyReader(ApproveDto);

/** Requests of members to install apps (docs/apps.md#who-may-install). */
@Controller('api/v1/admin/app_requests')
@AdminApi()
@ApiTags('admin: apps')
export class AppRequestsAdminController {
  constructor(
    private readonly db: Db,
    private readonly decideRequest: DecideRequest,
  ) {}

  /** Lists the requests of the last 90 days, newest first, by pages. */
  @Get()
  @ApiOperation({
    operationId: 'listAppRequestsAsAdmin',
    summary: 'Lists the requests of members to install apps, newest first',
  })
  @Answers(AppRequestsPage)
  @documentErrors(400)
  async list(
    @Caller() { spaceId }: AdminPrincipal,
    @Query() query: ListAppRequestsQuery,
  ): Promise<AppRequestsPage> {
    const { rows, nextCursor } = await listAppRequests(this.db, spaceId, query);
    return { ok: true, app_requests: rows.map(AppRequestView.of), next_cursor: nextCursor };
  }

  /** Installs the app. The member who asked can then connect it. */
  @Post(':id/approve')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'approveAppRequestAsAdmin',
    summary: 'Installs the app that a member asked for',
  })
  @ApiBody({ type: ApproveDto, required: false })
  @Answers(AppRequestAnswer)
  @documentErrors(400, 404, 409)
  async approve(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: object | undefined,
  ): Promise<AppRequestAnswer> {
    const { channel_ids } = readApproval(body ?? {});
    const request = await this.decideRequest.approve(admin, id, channel_ids ?? undefined);
    return { ok: true, app_request: AppRequestView.of(request) };
  }

  /** Refuses the request. The member may ask again. */
  @Post(':id/deny')
  @HttpCode(200)
  @ApiOperation({ operationId: 'denyAppRequestAsAdmin', summary: 'Refuses to install an app' })
  @Answers(AppRequestAnswer)
  @documentErrors(404, 409)
  async deny(@Acting() admin: ActingAdmin, @UuidParam('id') id: string): Promise<AppRequestAnswer> {
    return { ok: true, app_request: AppRequestView.of(await this.decideRequest.deny(admin, id)) };
  }
}
